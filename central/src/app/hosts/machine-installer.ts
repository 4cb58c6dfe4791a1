/**
 * Makes the scripts that install a host or a gateway, and finds what they fetch. Everything is asked for by its
 * hash: the operator's terminal shows a script's, and the script holds those of the rest.
 */

import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { manifestName, signatureName, type ReleaseManifest } from "@tijolo/protocol";
import { tijoloVersion, verifyRelease } from "@tijolo/protocol/kit";
import type { BaseContext } from "../base-context.ts";
import { findAuthorityRow } from "../../store/tables/certificates/certificate.ts";
import { machineKinds, scriptOf, type MachineKind } from "./installer-script.ts";
import { findStoredSets } from "./stored-package-sets.ts";

export interface MachineInstallerOptions {
  /** `https://host:port` where other machines reach the link; null: they are installed by hand. */
  linkUrl: string | null;
  /** Directory with a folder for each release. */
  releases: string;
  /** Directory with sets of Debian packages, which may be missing. */
  packages: string;
  /** Network of the addresses of all projects, as text: `10.200.0.0/13`. */
  clusterNetwork: string;
  /** File with the public half of the key that signs releases. */
  releaseKeyFile: string;
}

/** A script's address and hash. */
export interface InstallerScript {
  url: string;
  sha256: string;
}

export type InstallFile = { kind: "text"; text: string } | { kind: "file"; path: string; sizeBytes: number };

const hashPattern = /^[0-9a-f]{64}$/;

export class MachineInstaller {
  readonly #options: MachineInstallerOptions;

  constructor(options: MachineInstallerOptions) {
    this.#options = options;
  }

  /** Describes a script for the operator's terminal; null where machines are installed by hand. */
  async describe(
    app: Pick<BaseContext, "db" | "logger">,
    kind: MachineKind,
  ): Promise<InstallerScript | null> {
    const { linkUrl } = this.#options;
    const script = await this.#script(app, kind);
    if (script === null || linkUrl === null) return null;
    const sha256 = createHash("sha256").update(script).digest("hex");
    return { url: `${linkUrl}/install/${sha256}`, sha256 };
  }

  /** Returns the script, archive or the set of packages with this hash; undefined for any other. */
  async find(app: Pick<BaseContext, "db" | "logger">, sha256: string): Promise<InstallFile | undefined> {
    if (!hashPattern.test(sha256)) return undefined;
    const archive = (await this.#release(app))?.files.find((file) => file.sha256 === sha256);
    if (archive !== undefined) {
      const path = join(this.#directory, archive.name);
      return { kind: "file", path, sizeBytes: archive.bytes };
    }
    const set = (await findStoredSets(this.#options.packages)).find((each) => each.sha256 === sha256);
    if (set !== undefined) return { kind: "file", path: set.path, sizeBytes: set.sizeBytes };
    for (const kind of machineKinds) {
      const text = await this.#script(app, kind);
      if (text !== null && createHash("sha256").update(text).digest("hex") === sha256)
        return { kind: "text", text };
    }
    return undefined;
  }

  get #directory(): string {
    return join(this.#options.releases, tijoloVersion());
  }

  async #script(app: Pick<BaseContext, "db" | "logger">, kind: MachineKind): Promise<string | null> {
    const { linkUrl, clusterNetwork } = this.#options;
    const authority = linkUrl === null ? undefined : await findAuthorityRow(app.db);
    const release = authority === undefined ? null : await this.#release(app);
    if (linkUrl === null || authority === undefined || release === null) return null;
    const sets = await findStoredSets(this.#options.packages);
    return scriptOf({ kind, linkUrl, authority: authority.chain, release, sets, clusterNetwork });
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
      logger.error({ err: error, directory: this.#directory }, "the release for other machines is refused");
      return null;
    }
  }
}
