# After bench/figures.awk. RESULTS COMMIT JSON NAME: the tables and the JSON of bench/reshard/run.
BEGIN {
  results = ARGV[1]; commit = ARGV[2]; json = ARGV[3]
  while ((getline < results) > 0) {
    if ($2 > runs) runs = $2
    seen_who[$3] = 1
    if ($1 == "copy") {
      if (!($4 in shape_seen)) { shape_seen[$4] = 1; shapes[++shape_count] = $4 }
      if ($5 == "memory") memory[$4, $3, $2] = $6
      else { rate[$4 " " $5, $3, $2] = $6; own[$4 " " $5, $3, $2] = $7; servers[$4 " " $5, $3, $2] = $8 }
    } else if ($1 == "inserts") {
      inserts = 1
      moved[$4, $3, $2] = $6; p50[$4, $3, $2] = $8; p99[$4, $3, $2] = $9; longest[$4, $3, $2] = $10; errors[$4, $3] += $11
    } else if ($4 == "switchover") {
      if ($5 > switchovers) switchovers = $5
      stall["all", $3, $5] = $7; quiet["all", $3, $5] = $8; direction[$5] = $6
    } else if ($4 == "client") {
      if (!($6 in client_seen)) { client_seen[$6] = 1; clients[++client_count] = $6 }
      stall[$6, $3, $5] = $7
    } else if ($4 == "total") total[$3] = sprintf("%d statements, %d errors, %d transactions told to try again, %d wrong answers", $5, wrong[$3] = $6, $7, $8)
  }
  ours = "shardwright"; peer = "vitess" in seen_who ? "vitess" : ""
  begin_figures(ARGV[4], commit, json)
  if (shape_count) copy_report()
  if (inserts) insert_report()
  if (switchovers) switchover_report()
  end_figures()
}

# A figure, or nothing where there is no other system to compare with.
function ratio(name, of, key, target, to, op, goal) { return target != "" && to != "" ? sprintf("%.2f", figure(name, "ratio", of, key, target, to, op, goal)) : "-" }
function absolute(name, unit, of, key, target, format) { return target != "" ? sprintf(format, figure(name, unit, of, key, target, "", "", "")) : "-" }

function copy_report(    i, s, w, part, copy, verify, limit) {
  print "copy and comparison of a shard that nobody else uses"
  printf "%-16s %9s %9s %9s %9s %9s %9s %9s\n", "", "copy", "compare", "copy", "copy CPU", "copy CPU", "comp. CPU", "memory"
  printf "%-16s %9s %9s %9s %9s %9s %9s %9s\n", "", "/ Vitess", "/ Vitess", "/ limit", "/ Vitess", "+MySQL's", "+MySQL's", "/ Vitess"
  for (i = 1; i <= shape_count; i++) {
    s = shapes[i]; w = words(s); copy = s " copy"; verify = s " verify"; limit = s " limit"
    sum_cpu(copy); sum_cpu(verify)
    printf "%-16s %9s %9s %9s %9s %9s %9s %9s\n", s,
      ratio(w ": copied rows per second to Vitess's", rate, copy, ours, peer, ">=", 1),
      ratio(w ": compared rows per second to Vitess's", rate, verify, ours, peer, ">=", 1),
      limit_ratio(w, copy, limit, i),
      ratio(w ": copy, own CPU per row to Vitess's", own, copy, ours, peer, "<=", 1),
      ratio(w ": copy, own and MySQL servers' CPU per row to Vitess's", both, copy, ours, peer, "<=", 1),
      ratio(w ": comparison, own and MySQL servers' CPU per row to Vitess's", both, verify, ours, peer, "<=", 1),
      ratio(w ": peak memory to that of Vitess's three vttablets", memory, s, ours, peer, "<=", 1)
  }
  printf "\n%-16s %-12s %9s %9s %9s %9s %9s %9s %9s %9s\n", "", "", "copy", "own CPU", "MySQL's", "compare", "own CPU", "MySQL's", "peak MiB", "limit"
  printf "%-16s %-12s %9s %9s %9s %9s %9s %9s %9s %9s\n", "", "", "rows/s", "us/row", "us/row", "rows/s", "us/row", "us/row", "", "rows/s"
  for (i = 1; i <= shape_count; i++) {
    s = shapes[i]
    copy_line(s, words(s), ours, "")
    if (peer != "") copy_line(s, words(s), peer, "Vitess's ")
  }
  print ""
}
function copy_line(s, w, who, whose,    copy, verify) {
  copy = s " copy"; verify = s " verify"
  printf "%-16s %-12s %9s %9s %9s %9s %9s %9s %9s %9s\n", s, who,
    absolute(w ": " whose "copied rows per second", "1/s", rate, copy, who, "%.0f"),
    absolute(w ": " whose "copy, own CPU per row", "us", own, copy, who, "%.2f"),
    absolute(w ": " whose "copy, MySQL servers' CPU per row", "us", servers, copy, who, "%.2f"),
    absolute(w ": " whose "compared rows per second", "1/s", rate, verify, who, "%.0f"),
    absolute(w ": " whose "comparison, own CPU per row", "us", own, verify, who, "%.2f"),
    absolute(w ": " whose "comparison, MySQL servers' CPU per row", "us", servers, verify, who, "%.2f"),
    absolute(w ": " whose "peak memory (" (whose == "" ? "movers, engine and router in one process" : "three vttablets") ")", "MiB", memory, s, who, "%.0f"),
    whose == "" ? absolute(w ": the limit, rows per second", "1/s", rate, s " limit", who, "%.0f") : ""
  if (whose == "") absolute(w ": the limit, MySQL servers' CPU per row", "us", servers, s " limit", who, "%.2f")
}
function limit_ratio(w, copy, limit, first,    run) {
  for (run = 1; run <= runs; run++) rate[copy, "limit", run] = rate[limit, ours, run]
  return ratio(w ": copied rows per second to the limit's", rate, copy, ours, "limit", ">=", first == 1 ? 0.75 : "")
}
function sum_cpu(key,    run, who) {
  for (who in seen_who) for (run = 1; run <= runs; run++) both[key, who, run] = own[key, who, run] + servers[key, who, run]
}
function words(s,    part) { split(s, part, ":"); return sprintf("%s rows of %s bytes, %s key", part[2], part[3] + 30, part[1] == "int" ? "integer" : "text") }

function insert_report(    names, n, i) {
  n = split("copy verify switch after", names, " ")
  print "clients' inserts while their shard is split: times what they took before it"
  printf "%-8s %17s %17s   %26s %26s\n", "", "ours", "Vitess's", "ours", "Vitess's"
  printf "%-8s %8s %8s %8s %8s   %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "median", "p99", "median", "p99", "ms", "p99", "longest", "errors", "ms", "p99", "longest", "errors"
  insert_line("before", "before", 0)
  for (i = 1; i <= n; i++) insert_line(names[i], names[i], 1)
  if (peer != "") {
    printf "to Vitess's: median before %s, during the copy %s, the comparison %s, after %s", ratio("insert, before, median to Vitess's", p50, "before", ours, peer, "", ""),
      ratio("insert, copy, median to Vitess's", p50, "copy", ours, peer, "<=", 1), ratio("insert, verify, median to Vitess's", p50, "verify", ours, peer, "<=", 1), ratio("insert, after, median to Vitess's", p50, "after", ours, peer, "<=", 1)
    printf "; p99 before %s, copy %s, comparison %s, after %s\n", ratio("insert, before, p99 to Vitess's", p99, "before", ours, peer, "", ""),
      ratio("insert, copy, p99 to Vitess's", p99, "copy", ours, peer, "<=", 1), ratio("insert, verify, p99 to Vitess's", p99, "verify", ours, peer, "<=", 1), ratio("insert, after, p99 to Vitess's", p99, "after", ours, peer, "<=", 1)
  }
  printf "meanwhile rows per second: ours copied %s, compared %s; Vitess copied %s, compared %s\n\n",
    absolute("with inserts: copied rows per second", "1/s", moved, "copy", ours, "%.0f"), absolute("with inserts: compared rows per second", "1/s", moved, "verify", ours, "%.0f"),
    absolute("with inserts: Vitess's copied rows per second", "1/s", moved, "copy", peer, "%.0f"), absolute("with inserts: Vitess's compared rows per second", "1/s", moved, "verify", peer, "%.0f")
}
function insert_line(what, key, relative) {
  printf "%-8s %8s %8s %8s %8s   %s %s\n", what, to_before(key, ours, "", p50, "median", relative, 1.25), to_before(key, ours, "", p99, "p99", relative, 2),
    to_before(key, peer, "Vitess's ", p50, "median", relative, ""), to_before(key, peer, "Vitess's ", p99, "p99", relative, ""), insert_times(key, ours, ""), insert_times(key, peer, "Vitess's ")
}
function to_before(key, who, whose, of, what, relative, goal,    run) {
  if (!relative || who == "") return relative ? "-" : ""
  for (run = 1; run <= runs; run++) of[key, who " before", run] = of["before", who, run]
  return ratio(whose "insert, " key ", " what ", ratio to before", of, key, who, who " before", "<=", key == "switch" ? "" : goal)
}
function insert_times(key, who, whose) {
  if (who == "") return ""
  write_figure(whose "insert, " key ", errors", "count", errors[key, who], errors[key, who], whose == "" ? "<=" : "", 0)
  return sprintf("%8s %8s %8s %8d", absolute(whose "insert, " key ", median", "ms", p50, key, who, "%.2f"),
    absolute(whose "insert, " key ", p99", "ms", p99, key, who, "%.2f"), absolute(whose "insert, " key ", longest", "ms", longest, key, who, "%.1f"), errors[key, who])
}

# From here on the runs are the switchovers.
function switchover_report(    i, c, a, b) {
  runs = switchovers
  print "longest wait of any client at each switchover, and in the quiet seconds after it, ms"
  printf "%3s %-8s %10s %10s %12s %14s\n", "", "", "ours", "Vitess's", "ours, quiet", "Vitess, quiet"
  for (i = 1; i <= switchovers; i++) printf "%3d %-8s %10.1f %10s %12.1f %14s\n", i, direction[i], stall["all", ours, i], peer_value(stall, i), quiet["all", ours, i], peer_value(quiet, i)
  print "\na client's wait at a switchover, ms: all clients at all switchovers"
  printf "%-20s %10s %10s %10s\n", "", "median", "p99", "longest"
  printf "%-20s %10s %10s %10s\n", "ours", wait_of_all(ours, "", 50, 60), wait_of_all(ours, "", 99, 150), wait_of_all(ours, "", 100, "")
  if (peer != "") printf "%-20s %10s %10s %10s\n", "Vitess", wait_of_all(peer, "Vitess's ", 50, ""), wait_of_all(peer, "Vitess's ", 99, ""), wait_of_all(peer, "Vitess's ", 100, "")
  print "\neach client's wait at a switchover, ms"
  printf "%-20s %10s %10s %10s %10s %10s\n", "", "ours", "ours", "Vitess's", "Vitess's", "median"
  printf "%-20s %10s %10s %10s %10s %10s\n", "", "median", "longest", "median", "longest", "/ Vitess's"
  clients[0] = "all"
  for (c = 0; c <= client_count; c++) {
    fill(clients[c])
    printf "%-20s %10s %10s %10s %10s %10s\n", clients[c], wait_median(clients[c], ours, "", ""), wait_longest(clients[c], ours, "", ""),
      wait_median(clients[c], peer, "Vitess's ", ""), wait_longest(clients[c], peer, "Vitess's ", ""),
      ratio("wait at a switchover, " clients[c] ", to Vitess's", stall, clients[c], ours, peer, "<=", 1)
  }
  for (i = 1; i <= runs; i++) { stall["all", "quiet", i] = quiet["all", ours, i] }
  a = ratio("longest wait at a switchover, ratio to a quiet time", stall, "all", ours, "quiet", "", "")
  b = absolute("longest wait in a quiet time, median", "ms", quiet, "all", ours, "%.1f")
  printf "ours: %s times the quiet seconds' median of %s ms; %s\n", a, b, total[ours]
  write_figure("errors on autocommit statements", "count", wrong[ours], wrong[ours], "<=", 0)
  if (peer != "") {
    printf "Vitess: %s\n", total[peer]
    absolute("Vitess's longest wait in a quiet time, median", "ms", quiet, "all", peer, "%.1f")
    write_figure("Vitess's errors", "count", wrong[peer], wrong[peer], "", "")
  }
}
function peer_value(of, i) { return peer == "" ? "-" : sprintf("%.1f", of["all", peer, i]) }
# A client for which nothing ended at a switchover has not waited there.
function fill(client,    i, who) { for (who in seen_who) for (i = 1; i <= runs; i++) stall[client, who, i] += 0 }
# The percentile of the waits of each client at each switchover.
function wait_of_all(who, whose, percent, goal,    c, i, n, sorted, j, t, value) {
  n = 0
  for (c = 1; c <= client_count; c++) for (i = 1; i <= runs; i++) {
    t = stall[clients[c], who, i] + 0
    for (j = ++n; j > 1 && sorted[j - 1] > t; j--) sorted[j] = sorted[j - 1]
    sorted[j] = t
  }
  if (n == 0) return "-"
  j = int((n * percent + 99) / 100); value = sorted[j]
  write_figure(whose "a client's wait at a switchover, " (percent == 50 ? "median" : percent == 99 ? "p99" : "longest"), "ms", value, value, "<=", goal)
  return sprintf("%.1f", value)
}
function wait_median(client, who, whose, goal) {
  if (who == "") return "-"
  return sprintf("%.1f", figure(whose "wait at a switchover, " client ", median", "ms", stall, client, who, "", client == "all" ? "<=" : "", goal))
}
function wait_longest(client, who, whose, goal,    i, most) {
  if (who == "") return "-"
  for (i = 1; i <= runs; i++) if (stall[client, who, i] > most) most = stall[client, who, i]
  write_figure(whose "wait at a switchover, " client ", longest", "ms", most, most, client == "all" ? "<=" : "", goal)
  return sprintf("%.1f", most)
}
