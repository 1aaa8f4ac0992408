# shellcheck shell=bash
# The JVM's choices for a router in a pod with the default limit of 1 GiB: they depend on the machine, and benches run outside of pods.
# shellcheck disable=SC2034
router_jvm="-XX:+UseSerialGC -Xms16m -Xmx512m -XX:-UsePerfData -XX:TrimNativeHeapInterval=10000"
