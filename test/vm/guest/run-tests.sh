#!/bin/sh
# Runs `node --test` on the arguments listed in /opt/tijolo/run/arguments (one per line), as root, inside the virtual machine.
# Output goes to the port tijolo.output, the exit code to the port tijolo.result, and the journal to the console when a test fails.
set -u

run=/opt/tijolo/run
output=/dev/virtio-ports/tijolo.output
result=/dev/virtio-ports/tijolo.result

echo "tijolo-vm: $(. /etc/os-release && echo "$PRETTY_NAME"), kernel $(uname -r), systemd $(systemctl --version | awk 'NR == 1 { print $2 }'), node $(node --version)" >"$output"

if [ -e "$run/network" ]; then
  device=$(ls /sys/class/net | grep -v '^lo$' | head -n 1)
  ip address add 10.0.2.15/24 dev "$device"
  ip link set "$device" up
  ip route add default via 10.0.2.2
  echo 'nameserver 10.0.2.3' >/etc/resolv.conf
fi
if [ -e "$run/authorities.pem" ]; then
  cp "$run/authorities.pem" /usr/local/share/ca-certificates/tijolo-host.crt
  update-ca-certificates >/dev/null 2>&1
  export NODE_EXTRA_CA_CERTS="$run/authorities.pem"
fi

set --
while IFS= read -r argument; do
  set -- "$@" "$argument"
done <"$run/arguments"

node --test "$@" >"$output" 2>&1
code=$?
if [ "$code" -ne 0 ]; then
  journalctl --boot --no-pager --lines=400 >/dev/ttyS0 2>&1
fi
echo "$code" >"$result"
exit "$code"
