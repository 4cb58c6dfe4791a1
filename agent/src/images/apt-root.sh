#!/bin/sh
# Stacks layers to one writable root and runs a command in it. Called by apt-layer.ts in mount and pid namespaces of its own.
# apt-root.sh LOWER UPPER WORK ROOT STATE COMMAND...
#   STATE has directories that the root sees instead of its own, so that what apt keeps for itself is no part of the layer.
set -eu
umask 022 # of the image's files; the agent's own closes its files to others
lower=$1 upper=$2 work=$3 root=$4 state=$5
shift 5

# Nobody's flushes are waited for: a layer is synced once, as a whole, when it is complete.
mount -t overlay -o "lowerdir=$lower,upperdir=$upper,workdir=$work,redirect_dir=off,metacopy=off,index=off,volatile" overlay "$root"

# An image of somebody else's must not lead a mount elsewhere.
for path in etc usr proc dev tmp run var var/cache var/cache/apt var/lib var/lib/apt var/lib/apt/lists; do
  if [ -L "$root/$path" ]; then
    echo "E: /$path is a link in this image" >&2
    exit 1
  fi
  mkdir -p "$root/$path"
done

mount -t proc proc "$root/proc"
for path in sys sysrq-trigger irq bus; do
  [ -e "$root/proc/$path" ] || continue
  mount --bind "$root/proc/$path" "$root/proc/$path"
  mount -o remount,bind,ro "$root/proc/$path"
done
mount -t tmpfs -o mode=0755,nosuid tmpfs "$root/dev"
for name in null zero full random urandom; do
  touch "$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
mount --bind "$state/run" "$root/run"
mount --bind "$state/cache" "$root/var/cache/apt"
mount --bind "$state/lists" "$root/var/lib/apt/lists"

# An image without one, or with a link to where a resolver of its own would be, gets a file; none of it is left in the layer.
rm -f "$root/etc/resolv.conf"
cp "$state/run/resolv.conf" "$root/etc/resolv.conf"
cp "$state/run/policy-rc.d" "$root/usr/sbin/policy-rc.d"

# Packages' scripts put links to manual pages there, and stop where they cannot.
mkdir -p "$root/usr/share/man/man1" "$root/usr/share/man/man5" "$root/usr/share/man/man7" "$root/usr/share/man/man8"

# What a package's script needs to own, link and mark files; not to mount, to make devices, to trace or to leave the root.
exec chroot "$root" setpriv \
  --bounding-set=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+setfcap \
  "$@"
