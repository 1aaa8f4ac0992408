# shellcheck shell=bash
# Shared by the scripts in tools/, image/ and e2e/cluster/: where tools live, what is said while one is made, and how it is made once.
# Everything that is said goes to standard error: standard output belongs to the caller's answer.

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools_home=${SHARDWRIGHT_TOOLS:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/shardwright}
mkdir -p "$tools_home"
# A link in the checkout, so that people find what was fetched; the default place is shared by all checkouts of a user.
if [ ! -e "$repo/.tools" ] && [ "$tools_home" != "$repo/.tools" ]; then ln -sfn "$tools_home" "$repo/.tools" 2>/dev/null || true; fi

say() { printf '%s\n' "==> $*" >&2; }
die() { printf '%s\n' "error: $*" >&2; exit 1; }

# once NAME FUNCTION: prints nothing; afterwards $tools_home/NAME is a complete directory that `FUNCTION DIR FINAL` made.
# Safe to call from many processes: one makes it beside its place and renames it, the others wait.
once() {
  local name=$1 make=$2 final=$tools_home/$1
  [ -e "$final/.complete" ] && return
  (
    exec 9>"$tools_home/$name.lock"
    flock -n 9 || { say "waiting for another process that is making $final"; flock -w 1800 9 || die "$tools_home/$name.lock is still held after 30 minutes; end the process that holds it and try again"; }
    [ -e "$final/.complete" ] && exit
    rm -rf "$final" "$final".new
    mkdir -p "$final.new"
    # -e does not reach into a function whose result is tested, so it is set again in a shell of its own.
    (set -euo pipefail; "$make" "$final.new" "$final") 9>&- >&2
    touch "$final.new/.complete"
    mv "$final.new" "$final"
  )
}

# need COMMAND[=PACKAGE]...: installs the Debian packages of the commands that are missing.
need() {
  local item missing=()
  for item in "$@"; do have "${item%%=*}" || missing+=("${item#*=}"); done
  if [ ${#missing[@]} -gt 0 ]; then apt_install "${missing[@]}"; fi
}
# have COMMAND|FILE: also where an ordinary user's PATH does not look.
have() { case $1 in /*) [ -e "$1" ] ;; *) PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1 ;; esac; }

apt_install() {
  command -v apt-get >/dev/null || die "these packages are needed and this is not a Debian-like system; install them yourself: $*"
  [ "$(id -u)" = 0 ] || die "these packages are needed; as root: apt-get install -y --no-install-recommends $*"
  say "installing Debian packages: $* (usually under a minute)"
  (
    exec 8>"$tools_home/apt.lock"; flock 8
    export DEBIAN_FRONTEND=noninteractive
    # One refresh a day is enough; a list that is missing or old makes the install fail in confusing ways.
    if [ -z "$(find "$tools_home/apt.updated" -mmin -1440 2>/dev/null)" ]; then
      apt-get -qq -o DPkg::Lock::Timeout=300 update && touch "$tools_home/apt.updated"
    fi
    apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 install --no-install-recommends "$@" </dev/null
  ) >"$tools_home/apt.log" 2>&1 || { tail -n 20 "$tools_home/apt.log" >&2; die "apt-get could not install $*; its output is in $tools_home/apt.log"; }
}

# at_least VERSION MINIMUM
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }
