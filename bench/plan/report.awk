# After bench/figures.awk. LOG COMMIT JSON: the table and the JSON of bench/plan/run, from what JMH printed.
BEGIN {
  begin_figures("plan", ARGV[2], ARGV[3])
  printf "%-28s %12s %14s\n", "scan, plan and route", "ns", "bytes allocated"
  while ((getline < ARGV[1]) > 0) {
    # Benchmark (protocol) (statement) avgt n score ± error unit
    if ($1 == "PlanBench.scanPlanAndRoute") time[$2 ", " $3] = $6
    if ($1 ~ /^PlanBench.scanPlanAndRoute:.*alloc.rate.norm/) {
      key = $2 ", " $3
      printf "%-28s %12.0f %14.0f\n", key, time[key], $6
      write_figure(key ": time", "ns", time[key], time[key], "<=", 1000)
      write_figure(key ": bytes allocated", "B", $6, $6, "", "")
      n++
    }
  }
  end_figures()
  if (!n) { print "JMH printed no result; see " ARGV[1] > "/dev/stderr"; exit 1 }
}
