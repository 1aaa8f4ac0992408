# The scenarios of e2e/run. Each leaves the cluster in a state that the next one can use.
# shellcheck shell=bash

scenario_install() {
  kubectl apply -f deploy/ >"$out/install.txt"
  until_true 120 "the operator's Deployment" kubectl -n shardwright-system rollout status deployment/shardwright-operator --timeout=5s
}

# Each file in e2e/bad begins with a comment that holds the words the refusal must have.
scenario_bad_specs() {
  local file words answer
  kubectl create namespace "$ns" --dry-run=client -o yaml | kubectl apply -f - >/dev/null
  for file in e2e/bad/*.yaml; do
    words=$(sed -n '1s/^# *//p' "$file")
    if answer=$(k apply -f "$file" 2>&1); then fail "$file was accepted"; fi
    [[ $answer == *"$words"* ]] || fail "$file: expected '$words', got: $answer"
    say "refused: $(basename "$file"): $words"
  done
}

scenario_keyspace() {
  kubectl apply -f e2e/manifests/keyspace.yaml
  until_true 240 "the keyspace to be Ready" ready keyspace chat
  until_true 60 "both routers" k wait --for=condition=Ready pod -l shardwright.dev/keyspace=chat,app.kubernetes.io/component=router --timeout=1s
  SHARDWRIGHT_PASSWORD=$(secret chat-app password); export SHARDWRIGHT_PASSWORD
  k get keyspaces,shards | tee "$out/keyspace.txt"
  load_chat
}

# What is missing is named by a condition, and the keyspace heals when it is there.
scenario_unhappy_keyspaces() {
  kubectl apply -f e2e/manifests/unhappy.yaml >/dev/null
  until_true 120 "no-image to name the image" condition_says keyspace no-image Ready "docker.io/local/no-such-image:1"
  until_true 120 "no-volume to name the volume" condition_says keyspace no-volume Ready "no-such-class"
  until_true 60 "no-secret to name the Secret" condition_says keyspace no-secret Ready "missing-password"
  k get keyspaces | tee "$out/unhappy.txt"
  k create secret generic missing-password --from-literal=password=found-it >/dev/null
  k patch keyspace no-image --type merge -p '{"spec":{"mysql":{"image":"docker.io/local/mysql:9.7"}}}' >/dev/null
  until_true 180 "no-secret to heal" ready keyspace no-secret
  until_true 180 "no-image to heal" ready keyspace no-image
  k delete keyspace no-image no-volume no-secret --timeout=90s >/dev/null
}

scenario_topology_by_hand() {
  local epoch
  start_clients topology-by-hand
  epoch=$(epoch)
  k patch configmap chat-topology --type merge -p '{"data":{"topology.json":"{\"format\": 1, \"nonsense\": true}"}}' >/dev/null
  until_true 60 "the topology to be restored after an edit" epoch_above "$epoch"
  epoch=$(epoch)
  k delete configmap chat-topology >/dev/null
  until_true 60 "the topology to be restored after its deletion" epoch_above "$epoch"
  until_true 60 "the keyspace to be Ready" ready keyspace chat
  until_true 60 "both routers' logs to tell of the restored topology" routers_tell "topology of epoch $(epoch) applies"
  stop_clients
  check_history topology-by-hand
}
routers_tell() { [ "$(k logs -l app.kubernetes.io/component=router,shardwright.dev/keyspace=chat --tail=-1 | grep -c "$1")" -ge 2 ]; }
epoch() { field configmap chat-topology '{.data.topology\.json}' | sed -n 's/.*"epoch" *: *\([0-9]*\).*/\1/p' | head -n 1; }
epoch_above() { [ "$(epoch || echo 0)" -gt "$1" ] 2>/dev/null; }

# reshard NAME SOURCES TARGETS GOAL [MORE OF THE SPEC]: applies a workflow and records what `kubectl get -w` shows of it.
reshard() {
  k get reshardworkflows --watch --output-watch-events=false >>"$out/watch-$1.txt" 2>&1 &
  background+=($!) watch_pid=$!
  k apply -f - <<Y
apiVersion: shardwright.dev/v1alpha1
kind: ReshardWorkflow
metadata: {name: $1}
spec: {keyspace: chat, sourceShards: $2, targetShards: $3, goal: $4${5:+, $5}}
Y
}
goal() { k patch reshardworkflow "$1" --type merge -p "{\"spec\":{\"goal\":\"$2\"}}"; }
reached() { # NAME PHASE SECONDS
  until_true "$3" "workflow $1 to be $2" phase_is "$1" "$2" || { k describe reshardworkflow "$1"; fail "workflow $1 is $(phase "$1"), not $2"; }
  say "$1: $2"
}
watch_ends() { sleep 1; kill "$watch_pid" 2>/dev/null || true; sed 's/^/    /' "$out/watch-$1.txt"; }

scenario_split() {
  # From here on a table without a key is moved too. Its rows have an id all the same, by which the check knows each.
  client -e 'ALTER TABLE transfers DROP PRIMARY KEY, ADD KEY (account_id)'
  start_clients split
  reshard split-c0 '["c0-"]' '["c0-e0", "e0-"]' Switched
  reached split-c0 Switched 300
  sleep 5   # clients at work on the new shards, streams on the way back
  goal split-c0 Completed
  reached split-c0 Completed 120
  watch_ends split-c0
  stop_clients
  switchover_stalls split-c0
  check_history split
}

scenario_split_with_kills() {
  start_clients split-with-kills
  # So slow that the copy is still under way when it is disturbed.
  reshard split-80 '["80-c0"]' '["80-a0", "a0-c0"]' Verified 'throttle: {maxRowsPerSecond: 1000}'
  until_true 120 "the copy to be under way" copying split-80
  say "killing a target's MySQL server and the mover in the copy"
  kill_pods -l "shardwright.dev/shard=$(target_named 80-a0)"
  sleep 2   # the mover meets the loss; it can't go on without that target
  phase_is split-80 Copying || fail "the copy went on without one of its targets: phase $(phase split-80)"
  kill_pods -l app.kubernetes.io/component=mover
  k patch reshardworkflow split-80 --type merge -p '{"spec":{"throttle":{"maxRowsPerSecond":5000}}}' >/dev/null
  until_true 240 "the catch-up or later" eval 'case $(phase split-80) in CatchingUp|Verifying|Verified) true ;; *) false ;; esac'
  say "killing the operator in phase $(phase split-80)"
  kill_operator
  reached split-80 Verified 300
  goal split-80 Completed
  reached split-80 Completed 240
  watch_ends split-80
  stop_clients
  switchover_stalls split-80
  check_history split-with-kills
}
copying() { [[ "$(field reshardworkflow "$1" '{.status.progress}')" =~ ^copying\ [1-9] ]]; }
kill_pods() { k delete pod "$@" --grace-period=0 --force --wait=false 2>/dev/null; }
target_named() { k get shards -o name | sed -n "s:.*/\\(chat-$1-v[0-9]*\\)$:\\1:p"; } # RANGE: a shard that a workflow has made
kill_operator() { kubectl -n shardwright-system delete pod -l app.kubernetes.io/component=operator --grace-period=0 --force --wait=false 2>/dev/null; }

# A setting that needs restarts: one server at a time, and each is there again before the next one goes.
scenario_rolling_restart() {
  local before after most=0 gone
  say "a change of max_connections"
  before=$(server_pods)
  k patch keyspace chat --type json -p '[{"op":"add","path":"/spec/mysql/config/-","value":{"name":"max_connections","value":"400"}}]' >/dev/null
  for _ in $(seq 300); do
    after=$(server_pods)
    gone=$(k get pods -l "$chat_servers" -o 'jsonpath={range .items[*]}{.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}' | grep -vc True || true)
    ((gone > most)) && most=$gone
    [ -z "$(comm -12 <(echo "$before") <(echo "$after"))" ] && ((gone == 0)) && ready keyspace chat && break
    sleep 1
  done
  [ -z "$(comm -12 <(echo "$before") <(echo "$after"))" ] || { k get shards -o yaml; fail "not every server was restarted"; }
  ((most <= 1)) || fail "$most servers were away at a time"
  k get shards | tee "$out/rolling-restart.txt"
}
chat_servers=app.kubernetes.io/component=mysql,shardwright.dev/keyspace=chat # pods of keyspaces that were deleted may still be ending
server_pods() { pod_uids "$chat_servers"; }
pod_uids() { k get pods -l "$1" -o 'jsonpath={range .items[*]}{.metadata.uid}{"\n"}{end}' | sort; } # SELECTOR

# The operator's process ends between the fence at MySQL (step 3) and the flip (step 5); the next one resumes or undoes.
scenario_split_operator_dies() {
  start_clients operator-dies
  reshard split-40 '["40-80"]' '["40-60", "60-80"]' Verified
  reached split-40 Verified 300
  kubectl -n shardwright-system set env deployment/shardwright-operator SHARDWRIGHT_DIE_BEFORE=APPLY_G >/dev/null
  kubectl -n shardwright-system rollout status deployment/shardwright-operator --timeout=90s >/dev/null
  goal split-40 Switched
  until_true 120 "the operator to have died at the step" operator_restarted
  reached split-40 Switched 180
  kubectl -n shardwright-system set env deployment/shardwright-operator SHARDWRIGHT_DIE_BEFORE- >/dev/null
  kubectl -n shardwright-system rollout status deployment/shardwright-operator --timeout=90s >/dev/null
  goal split-40 Completed
  reached split-40 Completed 120
  watch_ends split-40
  stop_clients
  switchover_stalls split-40
  check_history operator-dies
}
operator_restarted() {
  [ "$(kubectl -n shardwright-system get pods -l app.kubernetes.io/component=operator -o 'jsonpath={.items[*].status.containerStatuses[0].restartCount}' | tr ' ' '\n' | sort -n | tail -n 1)" -ge 1 ]
}

scenario_split_and_back() {
  start_clients split-and-back
  reshard split-00 '["-40"]' '["-20", "20-40"]' Switched
  reached split-00 Switched 300
  sleep 10  # writes on the targets that must be there after the way back
  goal split-00 RolledBack
  reached split-00 RolledBack 120
  sleep 3
  stop_clients
  switchover_stalls split-00
  check_history split-and-back
  goal split-00 Cancelled
  reached split-00 Cancelled 120
  watch_ends split-00
}

scenario_merge() {
  start_clients merge
  reshard merge-c0 '["c0-e0", "e0-"]' '["c0-"]' Completed
  reached merge-c0 Completed 300
  watch_ends merge-c0
  stop_clients
  switchover_stalls merge-c0
  check_history merge
}

# Two workflows on one shard: the second one waits and says for whom. And a look at what a newcomer sees.
scenario_readable() {
  reshard first '["c0-"]' '["c0-d0", "d0-"]' Verified
  until_true 120 "the first one to hold its claim" eval '[ "$(phase first)" != Pending ] && [ -n "$(phase first)" ]'
  reshard second '["c0-"]' '["c0-f0", "f0-"]' Verified
  until_true 60 "the second one to name the first" condition_says reshardworkflow second Succeeded "first"
  k get keyspaces,shards,reshardworkflows | tee "$out/readable.txt"
  goal second Cancelled; goal first Cancelled
  reached first Cancelled 120
  reached second Cancelled 120
}

# Routers are replaced while clients come and go: each connects, asks and leaves, and none may notice.
scenario_routers_roll() {
  local before after i
  before=$(router_pods)
  comers=() comers_stop=$out/comers-stop
  for i in 1 2 3; do
    come_and_go "$out/comer-$i.txt" & comers+=($!) background+=($!)
  done
  until_true 30 "clients that come and go" grep -q . "$out/comer-3.txt"
  k patch keyspace chat --type merge -p '{"spec":{"router":{"maxConnections":1001}}}' >/dev/null
  until_true 120 "other routers" no_router_of "$before"
  until_true 60 "the former routers to be gone" two_routers
  touch "$comers_stop"
  for i in "${comers[@]}"; do wait "$i" || fail "a client found no router: $(grep -h ERROR "$out"/comer-*.txt)"; done
  say "$(cat "$out"/comer-*.txt | wc -l) clients came and went while both routers were replaced, each was served"
}
come_and_go() { # FILE
  local ip mysql; ip=$(router_ip) mysql=$(tools/mysql)/bin/mysql
  until [ -e "$comers_stop" ]; do
    MYSQL_PWD=$SHARDWRIGHT_PASSWORD "$mysql" --connect-timeout=5 -h "$ip" -u app chat -N \
      -e 'SELECT COUNT(*) FROM messages WHERE channel_id = 1' >>"$1" 2>&1 || return 1
    sleep 0.1
  done
}
no_router_of() { [ -z "$(comm -12 <(echo "$1") <(router_pods))" ]; } # UIDS

# Routers get a certificate, and later another one: the first needs new pods, the second reaches those that run.
scenario_tls() {
  certificate first
  k create secret tls chat-tls --cert="$out/first.crt" --key="$out/first.key" >/dev/null
  k patch keyspace chat --type merge -p '{"spec":{"router":{"tls":{"secretName":"chat-tls","required":true}}}}' >/dev/null
  until_true 120 "routers with the certificate" with_tls first
  # Routers are replaced one after the other, and for a moment the Service still leads to one that is ending.
  k rollout status deployment/chat-router --timeout=120s >/dev/null
  until_true 30 "a client without TLS to be refused with 3159" plain_is_refused
  # Those that drain are listed until they are gone.
  until_true 60 "the former routers to be gone" two_routers
  local pods; pods=$(router_pods)
  certificate second
  k create secret tls chat-tls --cert="$out/second.crt" --key="$out/second.key" --dry-run=client -o yaml | k apply -f - >/dev/null 2>&1
  # The kubelet looks at Secrets about once a minute.
  until_true 180 "the second certificate" with_tls second
  [ "$(router_pods)" = "$pods" ] || fail "routers were restarted for a certificate"
  say "a client that verifies the certificate is served, one without TLS is refused, a new certificate needs no restart"
}
certificate() { # NAME
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$out/$1.key" -out "$out/$1.crt" -days 2 -subj "/CN=$1" 2>/dev/null
}
router_pods() { pod_uids app.kubernetes.io/component=router,shardwright.dev/keyspace=chat; }
two_routers() { [ "$(router_pods | wc -l)" = 2 ]; }
# A connection that the Service leads to a pod that has just gone is answered by nobody, for two minutes unless the client gives up.
client() { MYSQL_PWD=$SHARDWRIGHT_PASSWORD "$(tools/mysql)/bin/mysql" --connect-timeout=5 -h "$(router_ip)" -u app chat "$@"; }
with_tls() { client -e 'SELECT 1' --ssl-mode=VERIFY_CA --ssl-ca="$out/$1.crt"; }
plain_is_refused() { local said; ! said=$(client -e 'SELECT 1' --ssl-mode=DISABLED 2>&1) && [[ $said == *3159* ]]; }

# Servers get a certificate of an authority that routers trust; from then on routers speak to them by TLS only.
scenario_servers_tls() {
  authority; server_certificate
  k create secret generic chat-servers-tls "--from-file=tls.crt=$out/server.crt" "--from-file=tls.key=$out/server.key" "--from-file=ca.crt=$out/ca.crt" >/dev/null
  k patch keyspace chat --type merge -p '{"spec":{"router":{"tls":null},"mysql":{"tls":{"secretName":"chat-servers-tls"}}}}' >/dev/null
  # Every server is restarted in turn, then the routers are.
  until_true 420 "routers that insist on TLS to the servers" insists
  k rollout status deployment/chat-router --timeout=120s >/dev/null
  until_true 60 "the former routers to be gone" two_routers
  until_true 60 "the keyspace to be Ready" ready keyspace chat
  [[ "$(client -N -e "SHOW STATUS LIKE 'Ssl_version'")" == *TLSv1* ]] || fail "a router's connection to a server is not encrypted"
  say "routers encrypt their connections to the servers and check the servers' certificates"
}
insists() { [[ "$(field deployment chat-router '{.spec.template.spec.containers[0].args}')" == *--server-ca* ]]; }
authority() {
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$out/ca.key" -out "$out/ca.crt" -days 2 -subj "/CN=e2e authority" \
    -addext "basicConstraints=critical,CA:TRUE" 2>/dev/null
}
server_certificate() {
  openssl req -newkey rsa:2048 -nodes -keyout "$out/server.key" -out "$out/server.csr" -subj "/CN=chat" 2>/dev/null
  printf 'subjectAltName=DNS:chat-mysql.%s\n' "$ns" >"$out/server.ext"
  openssl x509 -req -in "$out/server.csr" -CA "$out/ca.crt" -CAkey "$out/ca.key" -CAcreateserial -days 2 -extfile "$out/server.ext" -out "$out/server.crt" 2>/dev/null
}

summary() { say "the longest stalls"; cat "$out/summary.txt" 2>/dev/null || echo "no clients were run"; }
