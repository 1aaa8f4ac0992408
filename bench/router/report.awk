# After bench/figures.awk. RESULTS MEMORY PEER_MEMORY COMMIT JSON (MEMORY: KiB at rest, busy, for each idle client, with a slow client): the table and the JSON of bench/router/run.
BEGIN {
  results = ARGV[1]; memory = ARGV[2]; peerMemory = ARGV[3]; commit = ARGV[4]; json = ARGV[5]
  while ((getline < results) > 0) {
    key = $1 ", " $2 ", " $4 " threads"
    if (!(key in known)) { known[key] = ++keys; names[keys] = key }
    rate[key, $3, $5] = $6; p99[key, $3, $5] = $7; cpu[key, $3, $5] = $8
    if ($5 > runs) runs = $5
  }
  begin_figures("router", commit, json)
  printf "%-38s %9s %9s %9s %9s %9s %9s\n", "", "cpu", "queries", "p99", "queries", "cpu us", "cpu us"
  printf "%-38s %9s %9s %9s %9s %9s %9s\n", "ratios, then absolute figures", "to peer", "to peer", "to peer", "to MySQL", "ours", "peer"
  for (i = 1; i <= keys; i++) {
    k = names[i]
    goals = k ~ /^point_select.* (8|32) threads/
    a = figure(k ": CPU per query to MySQL Router's", "ratio", cpu, k, "shardwright", "mysql-router", goals ? "<=" : "", 0.75)
    b = figure(k ": queries per second to MySQL Router's", "ratio", rate, k, "shardwright", "mysql-router", goals ? ">=" : "", 1.1)
    c = figure(k ": p99 to MySQL Router's", "ratio", p99, k, "shardwright", "mysql-router", goals ? "<=" : "", 1.0)
    d = figure(k ": queries per second to MySQL's without a proxy", "ratio", rate, k, "shardwright", "direct", "", 0)
    e = figure(k ": CPU per query", "us", cpu, k, "shardwright", "", "", 0)
    printf "%-38s %9.2f %9.2f %9.2f %9.2f %9.1f %9.1f\n", k, a, b, c, d, e, e / a
  }
  n = split(memory, kib, " ")
  print ""
  size("resident memory at rest", "MiB", kib[1] / 1024, 128)
  if (n > 1) {
    size("resident memory, 256 busy clients", "MiB", kib[2] / 1024, 256)
    size("memory of an idle client", "KiB", kib[3], 20)
    size("most resident memory, 1 GiB to a slow client", "MiB", kib[4] / 1024, 256)
  }
  size("resident memory of MySQL Router", "MiB", peerMemory / 1024, "")
  end_figures()
}

function size(name, unit, v, goal) {
  write_figure(name, unit, sprintf("%.1f", v), v, goal == "" ? "" : "<=", goal)
  printf "%-46s %8.1f %s%s\n", name, v, unit, goal == "" ? "" : " (goal: at most " goal ")"
}
