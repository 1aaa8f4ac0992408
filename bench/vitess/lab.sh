# shellcheck shell=bash
# Sourced by the benchmarks that compare with Vitess, after tools/lib.sh and in the repository's directory: MySQL servers, a Vitess before
# them, and what else a benchmark starts, all on loopback and in a temporary directory. All of it ends with the script.

# lab_open RESULTS: where the logs are left at the end. Sets $vitess, $mysql (directories of programs), $work, and the names below.
lab_open() {
  lab_results=$1
  need etcd=etcd-server setpriv=util-linux
  vitess=$(bench/vitess/build)
  mysql=$(tools/mysql)
  # Sockets need short paths, and Vitess's own user must be able to reach its programs.
  work=$(mktemp -d /tmp/shardwright-vitess.XXXXXX); chmod 755 "$work"
  trap lab_close EXIT
  trap 'exit 130' INT TERM
  mkdir "$work"/{bin,vt,log}
  cp "$vitess"/{vtctldclient,vtctld,vttablet,vtgate} "$work/bin/"
  [ "$(id -u)" != 0 ] || chown $vt_user:$vt_user "$work/vt"
  export VTDATAROOT=$work/vt
  lab_base=$((20000 + RANDOM % 100 * 100))
  etcd=127.0.0.1:$((lab_base + 1)) vtctld=127.0.0.1:$((lab_base + 4)) vtgate=$((lab_base + 7)) # +8 and +9 are the benchmark's
  topology=(--topo-implementation etcd2 --topo-global-server-address "$etcd" --topo-global-root /vitess/global)
}
vt_user=64200 # Vitess's servers refuse to run as root.
user=vt password=vtlab # of the MySQL servers; vtgate lets everybody in
lab_pids=() mysql_pids=() tablet_pids=()

lab_close() {
  local pid
  trap - EXIT
  for pid in "${lab_pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${lab_pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  mkdir -p "$lab_results"
  cp -r "$work/log" "$lab_results/"
  rm -rf "$work"
}

start() { # NAME COMMAND...: its process id is in $started
  local name=$1; shift
  "$@" </dev/null >"$work/log/$name.log" 2>&1 & started=$!
  lab_pids+=("$started")
}
as_vitess() { if [ "$(id -u)" = 0 ]; then echo setpriv "--reuid=$vt_user" "--regid=$vt_user" --clear-groups; fi; }
until_open() { # PORT NAME
  for _ in $(seq 600); do (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return; sleep 0.1; done
  tail -n 5 "$work/log/$2.log" >&2; die "$2 does not listen on port $1 after a minute; its log will be in $lab_results/log"
}
until_works() { # WHAT COMMAND...
  local what=$1; shift
  for _ in $(seq 120); do "$@" >"$work/log/last.log" 2>&1 && return; sleep 0.5; done
  tail -n 5 "$work/log/last.log" >&2; die "no $what after a minute"
}
cpu() { local sum=0 pid; for pid in "$@"; do sum=$((sum + $(awk '{print $14 + $15}' "/proc/$pid/stat"))); done; echo $sum; } # PID...: ticks of 10 ms
memory() { local pid; for pid in "${@:2}"; do awk -v what="$1:" '$1 == what {print $2 / 1024}' "/proc/$pid/status"; done | awk '{sum += $1} END {print sum}'; } # VmRSS|VmHWM PID...: MiB

# Servers and their tablets have numbers from 1 to 9.
mysql_port() { echo $((lab_base + $1 * 10)); }
server() { # NUMBER DATABASE OPTION...: a MySQL server with one database
  local data=$work/mysql-$1 number=$1 database=$2; shift 2
  if [ ! -d "$work/template" ]; then
    "$mysql/bin/mysqld" --no-defaults --user=root --initialize-insecure "--datadir=$work/template" >"$work/log/initialize.log" 2>&1 \
      || die "a MySQL server could not be made; see $lab_results/log/initialize.log"
    rm "$work/template/auto.cnf" # each server is to have a UUID of its own
  fi
  cp -r "$work/template" "$data"
  cat >"$work/users.sql" <<S
CREATE DATABASE $database;
CREATE USER '$user'@'%' IDENTIFIED BY '$password';
GRANT ALL ON *.* TO '$user'@'%' WITH GRANT OPTION;
S
  start "mysql-$number" "$mysql/bin/mysqld" --no-defaults --user=root "--datadir=$data" "--socket=$work/mysql-$number.sock" \
    "--pid-file=$data/mysqld.pid" "--port=$(mysql_port "$number")" --bind-address=127.0.0.1 --mysqlx=OFF "--server-id=$number" --log-bin=binlog \
    --gtid-mode=ON --enforce-gtid-consistency=ON --max-connections=500 --innodb-buffer-pool-size=256M --max-allowed-packet=64M \
    --skip-name-resolve "--init-file=$work/users.sql" "$@"
  mysql_pids+=("$started")
  until_open "$(mysql_port "$number")" "mysql-$number"
}

control() { "$work/bin/vtctldclient" --server "$vtctld" "$@"; }
vitess_up() { # KEYSPACE: without tablets
  start etcd etcd --data-dir "$work/etcd" --listen-client-urls "http://$etcd" --advertise-client-urls "http://$etcd" \
    --listen-peer-urls "http://127.0.0.1:$((lab_base + 2))" --initial-advertise-peer-urls "http://127.0.0.1:$((lab_base + 2))" \
    --initial-cluster "default=http://127.0.0.1:$((lab_base + 2))"
  until_open $((lab_base + 1)) etcd
  # shellcheck disable=SC2046
  start vtctld $(as_vitess) "$work/bin/vtctld" "${topology[@]}" --service-map grpc-vtctl,grpc-vtctld --port $((lab_base + 3)) --grpc-port $((lab_base + 4)) \
    --bind-address 127.0.0.1 --grpc-bind-address 127.0.0.1 --log-format text
  until_open $((lab_base + 4)) vtctld
  until_works "cell" control AddCellInfo --root /vitess/zone1 --server-address "$etcd" zone1
  control CreateKeyspace --durability-policy none "$1" >/dev/null
}
tablet() { # NUMBER KEYSPACE RANGE DATABASE: before the server of this number
  local kind login=()
  for kind in app dba filtered repl appdebug allprivs; do login+=("--db-$kind-user" $user "--db-$kind-password" $password); done
  # shellcheck disable=SC2046
  start "vttablet-$1" $(as_vitess) "$work/bin/vttablet" "${topology[@]}" --tablet-path "zone1-000000000$1" --tablet-hostname 127.0.0.1 \
    --init-keyspace "$2" --init-shard "$3" --init-tablet-type replica --init-db-name-override "$4" --unmanaged \
    --db-socket "$work/mysql-$1.sock" "${login[@]}" --db-charset utf8mb4 --port $((lab_base + $1 * 10 + 1)) --grpc-port $((lab_base + $1 * 10 + 2)) \
    --bind-address 127.0.0.1 --grpc-bind-address 127.0.0.1 --service-map grpc-queryservice,grpc-tabletmanager,grpc-updatestream --log-format text
  tablet_pids+=("$started")
  until_open $((lab_base + $1 * 10 + 2)) "vttablet-$1"
}
primary() { until_works "primary of tablet $1" control TabletExternallyReparented "zone1-000000000$1"; } # NUMBER
vtgate_up() { # OPTION...: its process id is in $started
  # shellcheck disable=SC2046
  start vtgate $(as_vitess) "$work/bin/vtgate" "${topology[@]}" --cell zone1 --cells-to-watch zone1 --tablet-types-to-wait PRIMARY \
    --port $((lab_base + 5)) --grpc-port $((lab_base + 6)) --bind-address 127.0.0.1 --grpc-bind-address 127.0.0.1 --mysql-server-port "$vtgate" \
    --mysql-server-bind-address 127.0.0.1 --mysql-server-socket-path "$work/vt/vtgate.sock" --mysql-auth-server-impl none \
    --service-map grpc-vtgateservice --tablet-refresh-interval 2s --log-format text "$@"
  until_open "$vtgate" vtgate
}
