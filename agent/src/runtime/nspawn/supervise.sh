#!/bin/dash
# Parent of one container for as long as it runs; needs no agent. Started in a mount namespace of its own, in which all mounts of the
# container are made, so that they vanish with the last process. Working directory: the run directory (see container-files.ts).
# Variables in capitals are lists from the agent, one word per line. Tells what happens by the files `started` and `exit`.
set -u

# Never a mount of a container among those of the host.
[ /proc/self/ns/mnt -ef "/proc/$PPID/ns/mnt" ] && exit 1

# An unquoted list becomes its words, exactly.
set -f
IFS='
'

# Moves this process into the cgroups of a list.
join() {
  for procs in $1; do
    echo 0 > "$procs" || exit 1
  done
}

# A shutdown of the host sends SIGTERM to every process; this one stays to write the exit file. (Ignoring it would be inherited.)
trap : TERM HUP INT

join "$SHIM_CGROUPS"
exec 8<>inside/code

(
  join "$RUN_CGROUPS"
  ($MOUNT) || exit 1
  # Everything in the container is killed before anything of the host when the host itself is out of memory.
  echo 500 > /proc/self/oom_score_adj
  exec $NSPAWN
) < /dev/null > launch.log 2>&1 &
container=$!

# The container's first process waits at the far end of `go` until the limits of its own cgroup are written.
(
  exec 9> inside/go
  for limit in $PAYLOAD_LIMITS; do
    echo "${limit%% *}" > "${limit#* }"
  done
  : > started
  echo go >&9
) &
barrier=$!

(exec $WRITER < inside/stdout 3< inside/stderr > /dev/null 2> writer.log) &
writer=$!

# A trapped signal ends a wait early.
while :; do
  wait "$container"
  code=$?
  kill -0 "$container" 2> /dev/null || break
done

# The container outlives a killed nspawn.
echo 1 > "$KILL_FILE"

if [ ! -e started ]; then
  kill -KILL "$barrier" "$writer" 2> /dev/null
elif [ "$code" -eq 1 ]; then
  # nspawn turns 133 into 1, so the first process tells it by another way.
  (echo >&8) &
  IFS= read -r told <&8
  [ "$told" = 133 ] && code=133
fi
echo "$code" > exit
wait
