# After bench/figures.awk. RESULTS COMMIT JSON: the table and the JSON of bench/copy/run.
BEGIN {
  results = ARGV[1]; commit = ARGV[2]; json = ARGV[3]
  while ((getline < results) > 0) {
    if (!($1 in known)) { known[$1] = 1; shapes[++count] = $1 }
    if ($2 > runs) runs = $2
    if ($3 == "memory") { memory[$1, "process", $2] = $4; continue }
    rate[$1, $3, $2] = $4; own[$1, $3, $2] = $5; servers[$1, $3, $2] = $6
  }
  begin_figures("copy", commit, json)
  printf "%-22s %10s %12s %10s %10s %10s %10s %10s %8s\n", "rows", "copy", "compare", "copy", "compare", "limit", "copy cpu", "copy cpu", "peak"
  printf "%-22s %10s %12s %10s %10s %10s %10s %10s %8s\n", "", "/ limit", "/ copy", "rows/s", "rows/s", "rows/s", "own us/row", "MySQL's", "MiB"
  for (i = 1; i <= count; i++) {
    s = shapes[i]; split(s, part, ":")
    w = sprintf("%s rows of %s bytes, %s key", part[2], part[3] + 30, part[1] == "int" ? "integer" : "text")
    a = figure(w ": copied rows per second to the limit's", "ratio", rate, s, "copy", "limit", ">=", i == 1 ? 0.75 : "")
    b = figure(w ": compared rows per second to the copied ones", "ratio", rate, s, "verify", "copy", ">=", 1)
    c = figure(w ": copied rows per second", "1/s", rate, s, "copy", "", "", "")
    d = figure(w ": compared rows per second", "1/s", rate, s, "verify", "", "", "")
    e = figure(w ": the limit, rows per second", "1/s", rate, s, "limit", "", "", "")
    f = figure(w ": copy, own CPU per row", "us", own, s, "copy", "", "", "")
    g = figure(w ": copy, MySQL servers' CPU per row", "us", servers, s, "copy", "", "", "")
    figure(w ": the limit, MySQL servers' CPU per row", "us", servers, s, "limit", "", "", "")
    figure(w ": comparison, own CPU per row", "us", own, s, "verify", "", "", "")
    figure(w ": comparison, MySQL servers' CPU per row", "us", servers, s, "verify", "", "", "")
    h = figure(w ": peak memory of movers, engine and router in one process", "MiB", memory, s, "process", "", "", "")
    printf "%-22s %10.2f %12.2f %10.0f %10.0f %10.0f %10.2f %10.2f %8.0f\n", s, a, b, c, d, e, f, g, h
  }
  end_figures()
}
