# Shared by e2e/run and its scenarios: progress, waiting with a bound, and evidence under target/e2e.
# shellcheck shell=bash

say() { printf '%s  %s\n' "$(date +%H:%M:%S)" "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }
k() { kubectl -n "$ns" "$@"; }

# until_true SECONDS WHAT COMMAND...: polls once a second; at the bound it says what was awaited and fails.
until_true() {
  local bound=$1 what=$2 deadline; shift 2
  deadline=$((SECONDS + bound))
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || { say "gave up after ${bound}s waiting for: $what" >&2; return 1; }
    sleep 1
  done
}

field() { k get "$1" "$2" -o "jsonpath=$3" 2>/dev/null; }
ready() { [ "$(field "$1" "$2" '{.status.conditions[?(@.type=="Ready")].status}')" = True ]; }
phase() { field reshardworkflow "$1" '{.status.phase}'; }
phase_is() { [ "$(phase "$1")" = "$2" ]; }
condition_says() { # KIND NAME TYPE TEXT: the condition's message or reason has TEXT in it
  [[ "$(field "$1" "$2" "{.status.conditions[?(@.type==\"$3\")]['reason','message']}")" == *"$4"* ]]
}
secret() { field secret "$1" "{.data.$2}" | base64 -d; }

# What a failed run leaves for whoever must find the reason.
collect() {
  mkdir -p "$out/cluster"
  kubectl get all,pvc,configmaps,keyspaces,shards,reshardworkflows -A -o wide >"$out/cluster/objects.txt" 2>&1 || true
  kubectl get keyspaces,shards,reshardworkflows -A -o yaml >"$out/cluster/resources.yaml" 2>&1 || true
  kubectl get events -A --sort-by=.lastTimestamp >"$out/cluster/events.txt" 2>&1 || true
  local pod
  for pod in $(k get pods -o name 2>/dev/null); do
    k logs "$pod" --all-containers --tail=2000 >"$out/cluster/${pod#pod/}.log" 2>&1 || true
  done
  kubectl -n shardwright-system logs deploy/shardwright-operator --tail=5000 >"$out/cluster/operator.log" 2>&1 || true
  kubectl -n shardwright-system logs deploy/shardwright-operator --previous --tail=5000 >"$out/cluster/operator-previous.log" 2>&1 || true
}
