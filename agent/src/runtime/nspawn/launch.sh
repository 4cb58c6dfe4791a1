#!/bin/dash
# Makes the mounts of one container in the private mount namespace that it was started in, then becomes nspawn.
# Working directory: the run directory (see run-directory.ts). Lists are files with one word per line.
set -eu

set --
while IFS= read -r word; do
  set -- "$@" "$word"
done < mount.argv
"$@"

# Everything in the container is killed before anything of the host when the host itself is out of memory.
echo 500 > /proc/self/oom_score_adj

set --
while IFS= read -r word; do
  set -- "$@" "$word"
done < nspawn.argv
exec "$@"
