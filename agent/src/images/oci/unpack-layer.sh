#!/bin/sh
# Extracts a tar archive from its input, seeing nothing but the host's programs (read-only) and the directory it extracts to.
# Runs in a mount namespace of its own. $1: an empty directory to make a root of. $2: where to extract to.
set -eu
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs "$1"
for name in usr bin lib lib32 lib64; do
  if [ -L "/$name" ]; then
    ln -s "$(readlink "/$name")" "$1/$name"
  elif [ -d "/$name" ]; then
    mkdir "$1/$name"
    mount -o bind,ro "/$name" "$1/$name"
  fi
done
mkdir "$1/layer" "$1/proc"
mount --bind "$2" "$1/layer"
mount -t proc -o ro,nosuid,nodev,noexec proc "$1/proc"
mount -o remount,bind,ro "$1"
exec chroot "$1" tar --extract --file=- --directory=/layer --numeric-owner --same-owner --preserve-permissions --delay-directory-restore \
  --xattrs --xattrs-include=trusted.overlay.opaque --no-acls --no-selinux --warning=no-timestamp
