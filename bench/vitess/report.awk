# After bench/figures.awk. RESULTS MEMORY VITESS_MEMORY COMMIT JSON: the table and the JSON of bench/vitess/run.
BEGIN {
  results = ARGV[1]; memory = ARGV[2]; vitessMemory = ARGV[3]; commit = ARGV[4]; json = ARGV[5]
  while ((getline < results) > 0) {
    if (!($1 in known)) { known[$1] = 1; modes[++count] = $1 }
    rate[$1, $2, $3] = $4; p50[$1, $2, $3] = $5; p99[$1, $2, $3] = $6; cpu[$1, $2, $3] = $7; errors[$2] += $8
    if ($3 > runs) runs = $3
  }
  words["point"] = "one message by its key"; words["channel"] = "latest 20 of a channel"; words["insert"] = "insert of a message"
  begin_figures("vitess", commit, json)
  printf "%-26s %10s %10s %10s %12s %10s %10s %10s\n", "times Vitess's figure,", "queries/s", "p50", "p99", "1 / cpu", "queries/s", "cpu us", "cpu us"
  printf "%-26s %10s %10s %10s %12s %10s %10s %10s\n", "then absolute figures", "", "", "", "", "ours", "ours", "Vitess"
  for (i = 1; i <= count; i++) {
    m = modes[i]; w = m in words ? words[m] : m
    a = figure(w ": queries per second to Vitess's", "ratio", rate, m, "shardwright", "vitess", ">=", m == "point" ? 8 : m == "insert" ? 5 : "")
    b = figure(w ": p50 to Vitess's", "ratio", p50, m, "shardwright", "vitess", "", "")
    c = figure(w ": p99 to Vitess's", "ratio", p99, m, "shardwright", "vitess", "", "")
    d = figure(w ": CPU per query of Vitess to the router's", "ratio", cpu, m, "vitess", "shardwright", ">=", m == "point" ? 12 : "")
    e = figure(w ": queries per second", "1/s", rate, m, "shardwright", "", "", "")
    f = figure(w ": CPU per query", "us", cpu, m, "shardwright", "", "", "")
    g = figure(w ": CPU per query of Vitess", "us", cpu, m, "vitess", "", "", "")
    h = figure(w ": queries per second to MySQL's without a proxy (one server)", "ratio", rate, m, "shardwright", "direct", "", "")
    printf "%-26s %10.1f %10.2f %10.2f %12.1f %10.0f %10.1f %10.1f\n", w, a, b, c, d, e, f, g
  }
  write_figure("resident memory", "MiB", memory, memory, "", "")
  write_figure("resident memory of vtgate and two vttablets", "MiB", vitessMemory, vitessMemory, "", "")
  end_figures()
  printf "resident memory: %.0f MiB; vtgate and two vttablets %.0f MiB; errors: ours %d, Vitess %d\n", memory, vitessMemory, errors["shardwright"], errors["vitess"]
}
