# Shared by the benchmarks' reports: a JSON document of figures. A figure's value is the median of its runs, which are numbered 1 to `runs`.

function begin_figures(bench, commit, file,    cpus, memory) {
  "nproc" | getline cpus
  "awk '/MemTotal/ {printf \"%.0f GiB\", $2 / 1048576}' /proc/meminfo" | getline memory
  figures_file = file
  printf "{\"bench\": \"%s\", \"commit\": \"%s\", \"machine\": {\"cpus\": %d, \"memory\": \"%s\"}, \"figures\": [", bench, commit, cpus, memory > figures_file
}

function end_figures() { print "]}" > figures_file }

# Writes the median of of[key, target, run], as a ratio to that of target `to` if this is not "", and returns it. op or goal "": there is none to meet.
function figure(name, unit, of, key, target, to, op, goal,    run, n, list, v, value, sorted) {
  list = ""; n = 0
  for (run = 1; run <= runs; run++) {
    v = of[key, target, run]
    if (to != "") { if (of[key, to, run] == 0) continue; v = v / of[key, to, run] }
    sorted[++n] = v; list = list (list == "" ? "" : ", ") sprintf("%.3f", v)
  }
  value = n == 0 ? 0 : median(sorted, n)
  write_figure(name, unit, list, value, op, goal)
  return value
}

function write_figure(name, unit, list, value, op, goal) {
  printf "%s\n  {\"name\": \"%s\", \"unit\": \"%s\", \"runs\": [%s], \"value\": %.3f", figures_written++ ? "," : "", name, unit, list, value > figures_file
  if (op != "" && goal != "") printf ", \"goal\": {\"op\": \"%s\", \"value\": %s}, \"met\": %s", op, goal, (op == "<=" ? value <= goal : value >= goal) ? "true" : "false" > figures_file
  printf "}" > figures_file
}

function median(sorted, n,    i, j, t) {
  for (i = 2; i <= n; i++) for (j = i; j > 1 && sorted[j] < sorted[j - 1]; j--) { t = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = t }
  return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}
