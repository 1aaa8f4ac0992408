# shellcheck shell=bash
# Shared by the scripts beside it. Binaries and images are kept between clusters; $run is the state of the running one.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"
# shellcheck disable=SC2034
here=$repo/e2e/cluster
home=${CLUSTER_HOME:-$tools_home/cluster}
run=$home/run
# The longest socket below it has to fit the kernel's 108 bytes.
[ ${#home} -le 55 ] || die "$home is too long a path for the unix sockets below it; set CLUSTER_HOME to a shorter one"
export PATH=$home/bin:/usr/lib/cni:/usr/sbin:/sbin:$PATH
mkdir -p "$home"

packages() {
  need containerd runc /usr/lib/cni/bridge=containernetworking-plugins iptables nft=nftables ip=iproute2 etcd=etcd-server \
    openssl conntrack ethtool socat sysctl=procps nsenter=util-linux
}
# The operating system's cgroup hierarchies: one directory for each controller (v1) or one for all (v2).
unified() { [ -e /sys/fs/cgroup/cgroup.controllers ]; }
running() { [ -e "$run/admin.kubeconfig" ] && kubectl --kubeconfig "$run/admin.kubeconfig" --request-timeout=3s get --raw /readyz >/dev/null 2>&1; }
# start NAME COMMAND...: in the background, its output in $run/log, its process id in $run/pids. Kubernetes itself comes before the pods
# and the test's clients, as on a cluster whose control plane has machines of its own: what it needs is little.
start() { local name=$1; shift; nohup nice -n -10 "$@" >"$run/log/$name.log" 2>&1 </dev/null 9>&- & echo $! >"$run/pids/$name"; }
# until_ok SECONDS COMMAND...
until_ok() {
  local tries=$(($1 * 4)); shift
  for _ in $(seq "$tries"); do "$@" >/dev/null 2>&1 && return; sleep 0.25; done
  die "gave up after $((tries / 4)) s waiting for: $*; the logs are in $run/log"
}
# stop NAME: asks, waits up to 15 s, then kills.
stop() {
  local pid; pid=$(cat "$run/pids/$1" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || return 0
  for _ in $(seq 75); do kill -0 "$pid" 2>/dev/null || return 0; sleep 0.2; done
  kill -9 "$pid" 2>/dev/null || true
}
