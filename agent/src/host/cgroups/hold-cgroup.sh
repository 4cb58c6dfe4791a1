#!/bin/sh
# Main process of the unit that holds the projects' cgroups: moves itself into a subgroup of its own cgroup and stays.
# $1: where the unified hierarchy is mounted.
set -eu
IFS=: read -r _ _ path < /proc/self/cgroup
mkdir -p "$1$path/holder"
echo 0 > "$1$path/holder/cgroup.procs"
exec sleep infinity
