/** The line that makes a machine a host: it runs what the operator's terminal names, and nothing else. */

import assert from "node:assert/strict";
import { createHash, createPublicKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { linkServerName } from "@tijolo/protocol/kit";
import { exec } from "../../agent/src/host/exec.ts";
import { newPrivateKey } from "../../central/src/app/certificates/new-certificate.ts";
import { signAuthority, signServer } from "../../central/src/app/certificates/x509/sign-certificate.ts";
import { scriptOf } from "../../central/src/app/hosts/installer-script.ts";
import { installLine } from "../../cli/src/commands/cluster/invitation.ts";

const dayMs = 24 * 60 * 60 * 1000;
const archiveName = "tijolo-1.0.0-linux-test.tar.gz";

/** A central that answers what it was asked for by its hash, or something else in its place. */
class Central implements AsyncDisposable {
  readonly #directory: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #contents = new Map<string, Buffer>();
  readonly authority: string;

  private constructor(directory: string) {
    this.#directory = directory;
    const issuer = { name: "Tijolo test", privateKey: newPrivateKey() };
    const validity = { beginsAt: Date.now() - dayMs, endsAt: Date.now() + dayMs };
    const parts = { validity, random: randomBytes };
    const key = newPrivateKey();
    const cert = signServer(issuer, { ...parts, names: [linkServerName], publicKey: createPublicKey(key) });
    this.authority = signAuthority(issuer, { ...parts, domains: ["localhost"] });
    this.#server = createServer(
      { cert, key: key.export({ type: "pkcs8", format: "pem" }) },
      (request, response) => {
        const content = this.#contents.get(request.url?.slice("/install/".length) ?? "");
        response.writeHead(content === undefined ? 404 : 200).end(content);
      },
    );
  }

  static async start(): Promise<Central> {
    const central = new Central(await mkdtemp(join(tmpdir(), "tijolo-test-line-")));
    central.#server.listen(0, "127.0.0.1");
    await once(central.#server, "listening");
    return central;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Serves the content under the hash. */
  serve(hash: string, content: Buffer): void {
    this.#contents.set(hash, content);
  }

  /** Returns what the installer was run with; undefined: it was not. */
  async ranWith(): Promise<string | undefined> {
    return readFile(join(this.#directory, "note"), "utf8").catch(() => undefined);
  }

  /** Returns the archive of a release whose installer notes what it is run with. */
  async archive(): Promise<Buffer> {
    const folder = archiveName.replace(".tar.gz", "");
    await mkdir(join(this.#directory, folder), { recursive: true });
    const installer = `#!/bin/sh\necho "$@" > ${this.#directory}/note\n`;
    await writeFile(join(this.#directory, folder, "install"), installer, { mode: 0o755 });
    await exec(["tar", "-czf", archiveName, folder], { cwd: this.#directory });
    return readFile(join(this.#directory, archiveName));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.#directory, { recursive: true });
  }
}

/** Serves a release and its script, as they are told to be, and returns the line for a new machine. */
async function offer(
  central: Central,
  served: { archive?: typeof changed; script?: typeof changed } = {},
): Promise<string> {
  const archive = await central.archive();
  const script = Buffer.from(
    scriptOf({
      kind: "host",
      linkUrl: central.url,
      authority: central.authority,
      release: {
        version: "1.0.0",
        commitTime: 0,
        protocol: { min: 1, max: 1 },
        schemas: {},
        files: (["x64", "arm64"] as const).map((architecture) => ({
          architecture,
          name: archiveName,
          bytes: archive.length,
          sha256: hashOf(archive),
        })),
      },
      sets: [],
      clusterNetwork: "10.200.0.0/13",
    }),
  );
  central.serve(hashOf(archive), served.archive?.(archive) ?? archive);
  central.serve(hashOf(script), served.script?.(script) ?? script);
  return installLine({ url: `${central.url}/install/${hashOf(script)}`, sha256: hashOf(script) });
}

function hashOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the content with its last byte changed: in a script a line break becomes a space. */
function changed(content: Buffer): Buffer {
  const other = Buffer.from(content);
  other[other.length - 1] = 0x20;
  return other;
}

async function scratchDirectories(): Promise<string[]> {
  return (await readdir("/var/tmp")).filter((name) => name.startsWith("tijolo-install."));
}

test("it runs the installer of the release, with central's address, and leaves nothing else behind", async () => {
  await using central = await Central.start();
  const before = await scratchDirectories();
  await exec(["sh", "-c", await offer(central)]);
  assert.match(
    (await central.ranWith()) ?? "",
    new RegExp(`^host --central ${central.url} --authority \\S+ --network 10\\.200\\.0\\.0/13\n$`),
  );
  assert.deepEqual(await scratchDirectories(), before);
});

for (const [what, served, change, reason] of [
  ["a script with one byte changed", { script: changed }, (line: string) => line, /FAILED|did NOT match/],
  ["an archive with one byte changed", { archive: changed }, (line: string) => line, /SHA-256: tijolo/],
  ["an address with one digit changed", {}, otherDigitOf("/install/"), /curl|404/],
  ["a hash with one digit changed", {}, otherDigitOf('echo "'), /FAILED|did NOT match/],
] as const)
  test(`${what} is refused before anything is run, and leaves nothing behind`, async () => {
    await using central = await Central.start();
    const before = await scratchDirectories();
    const line = change(await offer(central, served));
    await assert.rejects(exec(["sh", "-c", line]), reason);
    assert.equal(await central.ranWith(), undefined);
    assert.deepEqual(await scratchDirectories(), before);
  });

/** Changes the first digit of the hash that follows the words. */
function otherDigitOf(words: string): (line: string) => string {
  return (line) => {
    const at = line.indexOf(words) + words.length;
    return `${line.slice(0, at)}${line[at] === "0" ? "1" : "0"}${line.slice(at + 1)}`;
  };
}
