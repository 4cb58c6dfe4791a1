#!/bin/sh
# Runs a command on a directory whose writes are flushed by nobody: the layer is synced once, as a whole, when it is complete.
# Called by bootstrap-layer.ts in mount and pid namespaces of its own.
# bootstrap-root.sh EMPTY UPPER WORK ROOT COMMAND...
set -eu
umask 022 # of the image's files; the agent's own closes its files to others
mount -t overlay -o "lowerdir=$1,upperdir=$2,workdir=$3,redirect_dir=off,metacopy=off,index=off,volatile" overlay "$4"
shift 4
exec "$@"
