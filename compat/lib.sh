# shellcheck shell=bash
# Shared by compat/*/run: a suite is run on a fresh MySQL server directly (the baseline) and then, on another fresh one, through a router
# before it: a keyspace of one shard, or of SHARDS. Each run leaves lines "test<TAB>outcome"; what differs must be in compat/<driver>/expected.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tools/lib.sh"
driver=$(basename "$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)")
here=$repo/compat/$driver
work=$repo/target/compat/$driver
# Where suites and their libraries are kept; they are fetched once.
suites=$tools_home/compat
template=$repo/target/compat/template
mysql=$("$repo/tools/mysql")
user=root password=compat-secret database=compat
mkdir -p "$work" "$suites"

background=()
finish() {
  local pid
  for pid in "${background[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${background[@]}"; do wait "$pid" 2>/dev/null || true; done
  background=()
}
trap finish EXIT
trap 'exit 130' INT TERM

until_says() { # FILE TEXT
  for _ in $(seq 600); do grep -q "$2" "$1" 2>/dev/null && return; sleep 0.1; done
  tail -n 20 "$1" >&2
  die "no '$2' in $1 after a minute"
}

make_template() {
  [ -e "$template/.complete" ] && return
  rm -rf "$template"; mkdir -p "$template"
  cat >"$template/init.sql" <<SQL
ALTER USER 'root'@'localhost' IDENTIFIED BY '$password';
CREATE USER 'root'@'%' IDENTIFIED BY '$password';
GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
SQL
  "$mysql/bin/mysqld" --no-defaults $(runs_as) --initialize-insecure --datadir="$template/data" --init-file="$template/init.sql" \
    --log-error="$template/error.log" || die "mysqld can't initialize, see $template/error.log"
  touch "$template/.complete"
}

# A fresh server with the suite's database; sets $server_port and $server_data. $server_options may say more.
server() { # NAME
  local directory=$work/$1
  make_template
  rm -rf "$directory"; mkdir -p "$directory/tmp"
  cp -r "$template/data" "$directory/data"
  server_port=$((21000 + RANDOM % 8000)) server_data=$directory/data
  # As a shard's server is set up, as far as a client can see it.
  "$mysql/bin/mysqld" --no-defaults --datadir="$server_data" --socket="$directory/s" --pid-file="$directory/pid" --port=$server_port \
    --tmpdir="$directory/tmp" --log-error="$directory/error.log" --bind-address=127.0.0.1 --skip-name-resolve --mysqlx=OFF \
    --character-set-server=utf8mb4 --default-time-zone=+00:00 --max-allowed-packet=128M --local-infile=ON --lock-wait-timeout=60 \
    --log-bin-trust-function-creators=ON --innodb-buffer-pool-size=128M --innodb-redo-log-capacity=64M --event-scheduler=OFF \
    $(runs_as) "${server_options[@]}" >"$directory/out.log" 2>&1 & background+=($!)
  until_says "$directory/error.log" "ready for connections.*port: $server_port"
  client "$server_port" -e "CREATE DATABASE \`$database\`"
}
server_options=()
# mysqld refuses to be root's without being told.
runs_as() { if [ "$(id -u)" = 0 ]; then echo --user=root; fi; }

client() { # PORT ARGUMENT...
  local port=$1; shift
  MYSQL_PWD=$password "$mysql/bin/mysql" --no-defaults -h 127.0.0.1 -P "$port" -u "$user" "$@"
}

# A router before as many fresh servers as there are key ranges; sets $router_port.
router() { # NAME RANGE...
  local directory=$work/$1 shards="" range n=0; shift
  mkdir -p "$directory"
  for range in "$@"; do
    server "$(basename "$directory")-$((n++))"
    shards+="${shards:+,}{\"range\":\"$range\",\"uid\":\"uid$n\",\"name\":\"$database-$n\",\"state\":\"Serving\",\"by\":null,\"attempt\":0,"
    shards+="\"primary\":{\"host\":\"127.0.0.1\",\"port\":$server_port},\"replicas\":[]}"
  done
  cat >"$directory/topology.json" <<J
{"format":1,"keyspace":"$database","epoch":1,"shards":[$shards],"workflows":[],
 "vschema":${VSCHEMA:-{\"unlistedTables\":\"FirstShard\",\"vindexes\":[],\"tables\":[]\}}}
J
  echo "{\"$user\": \"$password\"}" >"$directory/users.json"
  mkdir -p "$directory/tls"
  cp "$server_data/server-cert.pem" "$directory/tls/tls.crt"; cp "$server_data/server-key.pem" "$directory/tls/tls.key"
  JAVA_TOOL_OPTIONS="-XX:+UseSerialGC -Xmx512m" "$repo/tools/shardwright" router --keyspace "$database" --listen 127.0.0.1:0 \
    --management 127.0.0.1:0 --topology "file:$directory/topology.json" --users "$directory/users.json" --tls "$directory/tls" \
    >"$directory/router.log" 2>&1 & background+=($!)
  until_says "$directory/router.log" "mysql /"
  router_port=$(sed -n 's/.*mysql [^ ]*:\([0-9]*\), management.*/\1/p' "$directory/router.log" | head -n 1)
  for attempt in $(seq 100); do
    client "$router_port" -e 'SELECT 1' >/dev/null 2>"$directory/err" && return
    [ "$attempt" -lt 100 ] || die "the router does not answer: $(cat "$directory/err")"
    sleep 0.2
  done
}

# Runs `suite PORT DIRECTORY` both ways; it writes DIRECTORY/outcomes. Then compares.
both() {
  local ranges=(-)
  [ "${SHARDS:-1}" = 1 ] || ranges=(-80 80-)
  if [ -z "${ONLY:-}" ] || [ "$ONLY" = baseline ]; then
    say "$driver: straight at MySQL"
    server baseline
    suite "$server_port" "$work/baseline"
    finish
  fi
  if [ -z "${ONLY:-}" ] || [ "$ONLY" = router ]; then
    say "$driver: through the router (${#ranges[@]} shards)"
    router router "${ranges[@]}"
    suite "$router_port" "$work/router"
    finish
  fi
  [ -n "${ONLY:-}" ] || "$repo/compat/compare" "$driver" "$work/baseline/outcomes" "$work/router/outcomes" "$here/expected"
}
