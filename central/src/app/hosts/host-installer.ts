/**
 * Makes the script that installs a host, and finds what the script fetches. Everything is asked for by its
 * hash: the operator's terminal shows the script's, and the script holds those of the rest.
 */

import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { manifestName, signatureName, type ReleaseManifest } from "@tijolo/protocol";
import { tijoloVersion, verifyRelease } from "@tijolo/protocol/kit";
import type { BaseContext } from "../base-context.ts";
import { findAuthorityRow } from "../../store/tables/certificates/certificate.ts";

export interface HostInstallerOptions {
  /** `https://host:port` where hosts reach the link; null: hosts are installed by hand. */
  linkUrl: string | null;
  /** Directory with a folder for each release. */
  releases: string;
  /** File with the public half of the key that signs releases. */
  releaseKeyFile: string;
}

/** The script's address and hash. */
export interface InstallerScript {
  url: string;
  sha256: string;
}

export type InstallFile = { kind: "text"; text: string } | { kind: "file"; path: string; sizeBytes: number };

const hashPattern = /^[0-9a-f]{64}$/;

export class HostInstaller {
  readonly #options: HostInstallerOptions;

  constructor(options: HostInstallerOptions) {
    this.#options = options;
  }

  /** Describes the script for the operator's terminal; null where hosts are installed by hand. */
  async describe(app: Pick<BaseContext, "db" | "logger">): Promise<InstallerScript | null> {
    const { linkUrl } = this.#options;
    const script = await this.#script(app);
    if (script === null || linkUrl === null) return null;
    const sha256 = createHash("sha256").update(script).digest("hex");
    return { url: `${linkUrl}/install/${sha256}`, sha256 };
  }

  /** Returns the script or the archive with this hash; undefined for any other. */
  async find(app: Pick<BaseContext, "db" | "logger">, sha256: string): Promise<InstallFile | undefined> {
    if (!hashPattern.test(sha256)) return undefined;
    const archive = (await this.#release(app))?.files.find((file) => file.sha256 === sha256);
    if (archive !== undefined) {
      const path = join(this.#directory, archive.name);
      return { kind: "file", path, sizeBytes: archive.bytes };
    }
    const text = await this.#script(app);
    if (text === null || createHash("sha256").update(text).digest("hex") !== sha256) return undefined;
    return { kind: "text", text };
  }

  get #directory(): string {
    return join(this.#options.releases, tijoloVersion());
  }

  async #script(app: Pick<BaseContext, "db" | "logger">): Promise<string | null> {
    const { linkUrl } = this.#options;
    const authority = linkUrl === null ? undefined : await findAuthorityRow(app.db);
    const release = authority === undefined ? null : await this.#release(app);
    if (linkUrl === null || authority === undefined || release === null) return null;
    return scriptOf({ linkUrl, authority: authority.chain, release });
  }

  /** Returns this version's release, with the archives that are here; null without one, or a damaged one. */
  async #release({ logger }: Pick<BaseContext, "logger">): Promise<ReleaseManifest | null> {
    const description = await readFile(join(this.#directory, manifestName)).catch(() => null);
    if (description === null) return null;
    try {
      const signature = await readFile(join(this.#directory, signatureName), "utf8");
      const key = (await readFile(this.#options.releaseKeyFile, "utf8")).trim();
      const manifest = verifyRelease(description, signature, key);
      const sizes = await Promise.all(
        manifest.files.map(({ name }) =>
          stat(join(this.#directory, name)).then(
            ({ size }) => size,
            () => -1,
          ),
        ),
      );
      return { ...manifest, files: manifest.files.filter(({ bytes }, index) => sizes[index] === bytes) };
    } catch (error) {
      logger.error({ err: error, directory: this.#directory }, "the release for hosts is refused");
      return null;
    }
  }
}

/** Returns the script. What stands in it was checked: an address, a certificate in PEM, hashes, names. */
function scriptOf({
  linkUrl,
  authority,
  release,
}: {
  linkUrl: string;
  authority: string;
  release: ReleaseManifest;
}): string {
  const machines: Record<ReleaseManifest["files"][number]["architecture"], string> = {
    x64: "x86_64",
    arm64: "aarch64",
  };
  const cases = release.files.map(
    ({ architecture, name, sha256 }) => `  ${machines[architecture]}) name=${name} hash=${sha256} ;;`,
  );
  return `#!/bin/sh
# Makes this machine a host of the cluster at ${linkUrl}. Options: --token-file FILE, --yes, --lang pt|en
set -eu
umask 022
fail() { echo "$1" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'Rode como root (sudo). / Run it as root (sudo).'
case "$(uname -m)" in
${cases.join("\n")}
  *) fail "Sem pacote para / no package for: $(uname -m)" ;;
esac
for tool in curl tar gzip sha256sum; do
  command -v "$tool" > /dev/null || fail "Falta / missing: $tool"
done
place=$(mktemp -d /var/tmp/tijolo-install.XXXXXXXX)
trap 'rm -rf "$place"' EXIT
cat > "$place/authority.pem" << 'PEM'
${authority.trim()}
PEM
curl -fsSk --max-time 900 "${linkUrl}/install/$hash" -o "$place/$name" || fail "${linkUrl}: curl"
echo "$hash  $place/$name" | sha256sum -c --quiet || fail "SHA-256: $name"
tar -xzf "$place/$name" -C "$place" --no-same-owner
"$place/\${name%.tar.gz}/install" host --central ${linkUrl} --authority "$place/authority.pem" "$@"
`;
}
