/** The script that makes a machine a host or a gateway: what it fetches is asked for by its hash. */

import type { ReleaseArchitecture, ReleaseManifest } from "@tijolo/protocol";
import type { StoredSet } from "./stored-package-sets.ts";

/** Names what a machine may become by one line. */
export const machineKinds = ["host", "gateway"] as const;
export type MachineKind = (typeof machineKinds)[number];

export interface ScriptParts {
  kind: MachineKind;
  linkUrl: string;
  /** Central's authority, in PEM. */
  authority: string;
  release: ReleaseManifest;
  /** Sets of Debian packages; a machine of another system takes its packages from its own apt. */
  sets: readonly StoredSet[];
  /** Network of the addresses of all projects, which must be free on a host. */
  clusterNetwork: string;
}

const machines: Record<ReleaseArchitecture, string> = { x64: "x86_64", arm64: "aarch64" };

/** Returns the script. What stands in it was checked: an address, a certificate in PEM, hashes, names. */
export function scriptOf(parts: ScriptParts): string {
  const { kind, linkUrl, authority, release, sets, clusterNetwork } = parts;
  const network = kind === "host" ? ` --network ${clusterNetwork}` : "";
  const archives = release.files.map(
    ({ architecture, name, sha256 }) => `  ${machines[architecture]}) name=${name} hash=${sha256} ;;\n`,
  );
  const packages = sets.map(
    ({ suite, architecture, sha256 }) => `  ${machines[architecture]}-${suite}) packages=${sha256} ;;\n`,
  );
  return `#!/bin/sh
# Makes this machine a ${kind} of the cluster at ${linkUrl}. Options: --token-file FILE, --yes, --lang pt|en
set -eu
umask 022
fail() { echo "$1" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'Rode como root (sudo). / Run it as root (sudo).'
case "$(uname -m)" in
${archives.join("")}  *) fail "Sem pacote para / no package for: $(uname -m)" ;;
esac
suite=$(. /etc/os-release && echo "\${VERSION_CODENAME-}") || suite=
packages=
case "$(uname -m)-$suite" in
${packages.join("")}esac
for tool in curl tar gzip sha256sum; do
  command -v "$tool" > /dev/null || fail "Falta / missing: $tool"
done
place=$(mktemp -d /var/tmp/tijolo-install.XXXXXXXX)
trap 'rm -rf "$place"' EXIT
cat > "$place/authority.pem" << 'PEM'
${authority.trim()}
PEM
fetch() {
  curl -fsSk --max-time 900 "${linkUrl}/install/$1" -o "$place/$2" || fail "${linkUrl}: curl"
  echo "$1  $place/$2" | sha256sum -c --quiet || fail "SHA-256: $2"
}
fetch "$hash" "$name"
if [ -n "$packages" ]; then
  fetch "$packages" packages.tar.gz
  set -- --packages "$place/packages.tar.gz" "$@"
fi
tar -xzf "$place/$name" -C "$place" --no-same-owner
"$place/\${name%.tar.gz}/install" ${kind} --central ${linkUrl} --authority "$place/authority.pem"${network} "$@"
`;
}
