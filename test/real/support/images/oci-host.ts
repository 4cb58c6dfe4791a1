/** A host's images for one test, in a directory of its own, and what to look at them with. */

import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";
import { nodeFlags } from "../../../../cli/src/start/node-flags.ts";
import {
  OciImages,
  type OciImage,
  type OciImagesOptions,
} from "../../../../agent/src/images/oci/oci-images.ts";

export class OciHost implements AsyncDisposable {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create(): Promise<OciHost> {
    return new OciHost(await mkdtemp(join(tmpdir(), "tijolo-oci-")));
  }

  get imagesDirectory(): string {
    return join(this.directory, "images");
  }

  open(overrides: Partial<OciImagesOptions> = {}): Promise<OciImages> {
    return OciImages.create({ ...ociImagesOptions(this.imagesDirectory), ...overrides });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

export function ociImagesOptions(imagesDirectory: string): OciImagesOptions {
  return {
    imagesDirectory,
    architecture: process.arch === "arm64" ? "arm64" : "x64",
    logger: { info() {} },
    authFile: null,
    mirrors: new Map(),
    insecureHosts: new Set(),
    now: () => new Date(),
    random: Math.random,
    randomName: () => randomBytes(4).toString("hex"),
  };
}

/** A process of its own that pulls an image and ends, to be killed meanwhile. */
export function spawnPull(imagesDirectory: string, reference: string): ChildProcess {
  const script = `${pullScript({ imagesDirectory, reference })} await pull();`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
}

export interface PullApart {
  imagesDirectory: string;
  reference: string;
  authFile?: string | null;
  /** Added to what this process has, whose own settings for certificates are left out. */
  environment?: Record<string, string>;
}

/** Pulls in a process that is started as agents are; returns the image's digest, or its error. */
export async function pullApart(
  pull: PullApart,
): Promise<{ digest: string } | { kind: string; message: string }> {
  const script = `${pullScript(pull)}
    console.log(JSON.stringify(await pull().then(({ digest }) => ({ digest }), ({ kind, message }) => ({ kind, message }))));`;
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || trustSettings.has(name) ? [] : [[name, value]],
  );
  const argv = [process.execPath, ...nodeFlags.agent, "--input-type=module", "-e", script];
  const { stdout } = await exec(argv, {
    timeoutMs: 120_000,
    env: { ...Object.fromEntries(own), ...pull.environment },
  });
  return JSON.parse(stdout) as { digest: string } | { kind: string; message: string };
}

const trustSettings = new Set([
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "NODE_USE_SYSTEM_CA",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
]);

/** Defines `pull`. */
function pullScript({ imagesDirectory, reference, authFile = null }: PullApart): string {
  const source = new URL("../../../../agent/src/images/oci/oci-images.ts", import.meta.url).href;
  return `const { OciImages } = await import(${JSON.stringify(source)});
    const { ociImagesOptions } = await import(${JSON.stringify(import.meta.url)});
    const options = { ...ociImagesOptions(${JSON.stringify(imagesDirectory)}), authFile: ${JSON.stringify(authFile)} };
    const pull = async () => (await OciImages.create(options)).pull(${JSON.stringify(reference)});`;
}

/**
 * Every path below with kind, mode, owner, size, links and second of change, and what each file holds, as one
 * text.
 */
export async function describeTree(root: string): Promise<string> {
  return described(["sh", "-c", describeScript, "sh", root]);
}

/** Describes the stacked layers as {@link describeTree} does. */
export async function describeImage({ layers }: OciImage): Promise<string> {
  // Overlayfs gives no number of links for directories, and a single layer needs no overlay.
  const [only] = layers;
  if (layers.length === 1 && only !== undefined) return describeTree(only.directory);
  const script = `mount -t tmpfs tmpfs /mnt && mkdir /mnt/r && n=0; lower=
    for layer; do ln -s "$layer" "/mnt/$n"; lower="$lower:$n"; n=$((n+1)); done
    cd /mnt && mount -t overlay overlay -o "lowerdir=\${lower#:}" r && set -- /mnt/r && ${describeScript}`;
  return described([
    "unshare",
    "--mount",
    "--propagation",
    "slave",
    "sh",
    "-c",
    script,
    "sh",
    ...layers.map(({ directory }) => directory),
  ]);
}

const describeScript = `cd "$1" && {
    find . -mindepth 1 -type d -printf '%p %y %m %U:%G\\n'
    find . -mindepth 1 ! -type d -printf '%p %y %m %U:%G %s %n %Ts %l\\n'
    find . -type f -exec sha256sum {} +
  } | LC_ALL=C sort`;

async function described(argv: string[]): Promise<string> {
  return (await exec(argv, { timeoutMs: 60_000 })).stdout;
}
