#!/bin/dash
# Parent of one container for as long as it runs; needs no agent. Started in a mount namespace of its own, in which all mounts of the
# container are made, so that they vanish with the last process. Working directory: the run directory (see container-files.ts).
# Lists are files with one word per line. Tells what happens by the files `started` and `exit`.
set -u

# Never a mount of a container among those of the host.
[ /proc/self/ns/mnt -ef "/proc/$PPID/ns/mnt" ] && exit 1

# Moves this process into the cgroups of a list.
join() {
  while IFS= read -r procs; do
    echo 0 > "$procs" || exit 1
  done < "$1"
}

# Becomes the command of a list.
become() {
  list=$1
  set --
  while IFS= read -r word; do
    set -- "$@" "$word"
  done < "$list"
  exec "$@"
}

# A shutdown of the host sends SIGTERM to every process; this one stays to write the exit file. (Ignoring it would be inherited.)
trap : TERM HUP INT

join shim.cgroups
exec 8<>inside/code

(become writer.argv < inside/stdout 3< inside/stderr > /dev/null 2> writer.log) &
writer=$!

# The container's first process waits at the far end of `go` until the limits of its own cgroup are written.
(
  exec 9> inside/go
  while read -r value file; do
    echo "$value" > "$file"
  done < payload.limits
  : > started
  echo go >&9
) &
barrier=$!

(
  join run.cgroups
  (become mount.argv) || exit 1
  # Everything in the container is killed before anything of the host when the host itself is out of memory.
  echo 500 > /proc/self/oom_score_adj
  become nspawn.argv
) < /dev/null > launch.log 2>&1 &
container=$!
# A trapped signal ends a wait early.
while :; do
  wait "$container"
  code=$?
  kill -0 "$container" 2> /dev/null || break
done

# The container outlives a killed nspawn.
IFS= read -r kill_file < kill.file
echo 1 > "$kill_file"

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
