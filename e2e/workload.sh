# The client with a memory (`shardwright workload`), run as several processes against the router's Service.
# shellcheck shell=bash

clients=2      # processes at a time
client_next=${CLIENT_FROM:-0}  # no two runs share a client number: each owns its part of the data
client_all=40
messages=${MESSAGES:-200000}

workload() { tools/shardwright workload "$@"; }
router_ip() { field service chat '{.spec.clusterIP}'; }

shape() { printf -- '--messages %s' "$messages"; }
target() { printf -- '--host %s --port 3306 --database chat --user app' "$(router_ip)"; }

load_chat() {
  say "loading $messages messages through the router"
  # shellcheck disable=SC2046
  workload load $(target) $(shape) | tee "$out/load.txt"
}

# start_clients NAME: writers and readers until stop_clients; their histories all go to one directory, as one check covers all runs.
start_clients() {
  local name=$1 i
  run_name=$name run_dir=$out/$name stop_file=$PWD/$out/$name/stop
  mkdir -p "$run_dir"
  client_pids=()
  for ((i = 0; i < clients; i++)); do
    # shellcheck disable=SC2046
    tools/shardwright workload run $(target) $(shape) --client $client_next --clients $client_all --writers 2 --readers 2 --pause 5ms \
      --duration 20m --stop-file "$stop_file" --history "$out/history" >"$run_dir/client-$client_next.txt" 2>&1 &
    client_pids+=($!) background+=($!)
    client_next=$((client_next + 1))
  done
  # What follows is to meet clients at work, not clients that are still starting.
  until_true 60 "the clients' first statements" clients_work
}

clients_work() {
  local i
  for ((i = client_next - clients; i < client_next; i++)); do
    grep -q 'writes [1-9]' "$run_dir/client-$i.txt" || return 1
  done
}

# stop_clients: waits for them; any error that an application would have seen fails the run.
stop_clients() {
  local pid i bad=0
  touch "$stop_file"
  for pid in "${client_pids[@]}"; do wait "$pid" || bad=1; done
  for ((i = client_next - clients; i < client_next; i++)); do
    sed "s/^/    client $i: /" "$run_dir/client-$i.txt" | grep -v 's  writes' | tail -n 25
    cp "$out/history/client-$i.json" "$run_dir/"
  done
  [ $bad = 0 ] || fail "$run_name: a client ended badly or saw a wrong answer; see $run_dir"
  local errors
  errors=$(sed -n 's/^ *"errors" *: *\([0-9]*\).*/\1/p' "$run_dir"/client-*.json | awk '{sum += $1} END {print sum + 0}')
  [ "$errors" = 0 ] || fail "$run_name: clients saw $errors errors; see $run_dir"
  local longest
  longest=$(sed -n 's/.*"micros" *: *\([0-9]*\).*/\1/p' "$run_dir"/client-*.json | sort -n | tail -n 1)
  printf '%-24s errors 0   longest stall of a client %s ms\n' "$run_name" "$((longest / 1000))" | tee -a "$out/summary.txt"
}

# switchover_stalls WORKFLOW: the longest wait of any client around each of its switchovers.
switchover_stalls() {
  local time at
  for time in $(k get events --field-selector "involvedObject.name=$1,reason=SwitchoverSteps" -o 'jsonpath={range .items[*]}{.lastTimestamp}{"\n"}{end}' | sort); do
    at=$(date -d "$time" +%s)
    # The event comes after the switchover, in whole seconds.
    awk -v from=$(((at - 3) * 1000)) -v to=$(((at + 2) * 1000)) -v name="$1" '
      /"micros"/ {micros = $3 + 0}
      /"endedAtMillis"/ {if ($3 + 0 >= from && $3 + 0 <= to && micros > most) most = micros}
      END {printf "%-24s longest stall of a client at a switchover %d ms\n", name, most / 1000}' "$run_dir"/client-*.json
  done | tee -a "$out/summary.txt"
}

# check_history: every acknowledged write of all runs so far against every row of every shard.
check_history() {
  local file=$out/topology.json name ip
  field configmap chat-topology '{.data.topology\.json}' >"$file"
  # The shards' names are known inside the cluster only.
  for name in $(shards_of_topology); do
    ip=$(field pod "$name-0" '{.status.podIP}')
    [ -n "$ip" ] || fail "the server of shard $name has no pod"
    sed -i "s/\"host\" *: *\"$name-0\.[^\"]*\"/\"host\":\"$ip\"/g" "$file"
  done
  say "comparing all histories with all rows"
  # shellcheck disable=SC2046
  SHARDWRIGHT_SHARD_PASSWORD=$(secret chat-mysql operator-password) workload check $(target) $(shape) --history "$out/history" --topology "$file" \
    | tee "$out/check-$1.txt" || fail "the history check found something; see $out/check-$1.txt"
}

shards_of_topology() { k get shards -l shardwright.dev/keyspace=chat -o name | sed 's:.*/::'; }
