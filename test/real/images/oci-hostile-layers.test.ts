/**
 * Layers that would write outside, make devices, fill the disk or fool overlayfs are refused; nothing is
 * left, and nothing outside was touched.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { writeOpenFile } from "../../../agent/src/host/files/open-files.ts";
import { until } from "../support/host/container-host.ts";
import { digestOf, ImagePusher, rawArchive, type RawEntry } from "../support/images/docker-registry-image.ts";
import { DockerRegistry } from "../support/images/docker-registry.ts";
import { describeImage, OciHost, spawnPull } from "../support/images/oci-host.ts";

describe("hostile layers", { timeout: 300_000 }, () => {
  let directory: string;
  let registry: DockerRegistry;
  let pusher: ImagePusher;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-registry-"));
    registry = await DockerRegistry.start(join(directory, "registry"));
    pusher = new ImagePusher(registry.host, "bad");
  });
  after(async () => {
    await registry[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const good: RawEntry = { name: "good", content: "good" };
  const victim = () => join(directory, "victim");

  const refused: Record<string, { entries: () => RawEntry[]; message: RegExp; kind?: string }> = {
    parent: {
      entries: () => [good, { name: "../../../../../../../../tmp/escaped", content: "x" }],
      message: /leads outside/,
    },
    inside: { entries: () => [{ name: "a/../../escaped", content: "x" }], message: /leads outside/ },
    link: {
      entries: () => [
        { name: "way", type: "2", linkName: victim() },
        { name: "way/escaped", content: "x" },
      ],
      message: /passes through a symlink/,
    },
    relative: {
      entries: () => [
        { name: "way", type: "2", linkName: "../../.." },
        { name: "way/escaped", content: "x" },
      ],
      message: /passes through/,
    },
    swapped: {
      entries: () => [
        { name: "way", type: "5", mode: 0o755 },
        { name: "way", type: "2", linkName: victim() },
        { name: "way/escaped", content: "x" },
      ],
      message: /is a directory and a symlink in one layer/,
    },
    throughWhiteout: {
      entries: () => [{ name: ".wh.x/escaped", content: "x" }],
      message: /lies in a whiteout/,
    },
    hidesParent: { entries: () => [{ name: ".wh..." }], message: /hides no name/ },
    hardLink: {
      entries: () => [{ name: "stolen", type: "1", linkName: "etc/shadow" }],
      message: /does not have/,
    },
    hardLinkOutside: {
      entries: () => [{ name: "stolen", type: "1", linkName: "../../etc/shadow" }],
      message: /leads outside/,
    },
    device: { entries: () => [good, { name: "disk", type: "4" }], message: /is a device/ },
    hiddenWhiteout: { entries: () => [{ name: "etc/hidden", type: "3" }], message: /is a device/ },
    sparse: { entries: () => [{ name: "sparse", type: "S" }], message: /sparse/, kind: "unsupported" },
    longName: { entries: () => [{ name: `${"a".repeat(50)}/../x` }], message: /leads outside/ },
  };

  for (const [tag, { entries, message, kind = "unsafe" }] of Object.entries(refused)) {
    test(`${tag}: refused, nothing left, nothing written outside`, async () => {
      await using host = await OciHost.create();
      await rm(victim(), { recursive: true, force: true });
      await mkdir(victim());
      const archive = rawArchive(entries());
      for (const { name } of entries()) assert.ok(archive.includes(name), "the entry is in the archive");
      await pusher.push(tag.toLowerCase(), [{ archive, compression: "gzip" }]);
      const images = await host.open();
      await assert.rejects(images.pull(`${registry.host}/bad:${tag.toLowerCase()}`), {
        name: "OciError",
        kind,
        message,
      });
      assert.deepEqual(await readdir(victim()), []);
      assert.deepEqual(await leftIn(host), []);
      await assert.rejects(stat("/tmp/escaped"));
      assert.deepEqual(await images.list(), []);
    });
  }

  test("an absolute name and an absolute link stay inside the layer", async () => {
    await using host = await OciHost.create();
    await mkdir(victim(), { recursive: true });
    const archive = rawArchive([
      { name: `${victim()}/file`, content: "x" },
      { name: "link", type: "2", linkName: victim() },
    ]);
    await pusher.push("absolute", [{ archive, compression: "gzip" }]);
    const { layers } = await (await host.open()).pull(`${registry.host}/bad:absolute`);
    assert.equal(await readFile(join(layers.at(-1)?.directory ?? "", victim(), "file"), "utf8"), "x");
    assert.deepEqual(await readdir(victim()), []);
  });

  test("devices below dev are left out, extended attributes are dropped, owners out of range become nobody", async () => {
    await using host = await OciHost.create();
    const folder = join(directory, "odd");
    await mkdir(join(folder, "dev"), { recursive: true });
    await exec(["mknod", join(folder, "dev/null"), "c", "1", "3"]);
    for (const name of ["tool", "far"]) await writeOpenFile(join(folder, name), name);
    await exec(["chown", "70000:4294967294", join(folder, "far")]);
    await exec(["perl", "-e", setAttributeScript, join(folder, "tool"), "user.mark"]);
    await exec(["perl", "-e", setAttributeScript, join(folder, "dev"), "trusted.overlay.redirect"]);
    const tar = [
      "tar",
      "--create",
      "--format=pax",
      "--numeric-owner",
      "--xattrs",
      "--xattrs-include=*",
      `--file=${folder}.tar`,
      "--directory",
      folder,
      ".",
    ];
    await exec(tar);
    const archive = await readFile(`${folder}.tar`);
    for (const words of ["SCHILY.xattr.user.mark", "SCHILY.xattr.trusted.overlay.redirect"])
      assert.ok(archive.includes(words), words);
    await pusher.push("odd", [{ archive, compression: "gzip" }]);
    const image = await (await host.open()).pull(`${registry.host}/bad:odd`);
    const root = image.layers[0]?.directory ?? "";
    assert.deepEqual(await readdir(join(root, "dev")), []);
    assert.match(await describeImage(image), /\.\/far f 644 65534:65534 /);
    for (const path of ["tool", "dev"])
      assert.equal((await exec(["perl", "-e", listAttributesScript, join(root, path)])).stdout, "");
  });

  test("a layer whose bytes are right but whose diff_id is not is refused", async () => {
    await using host = await OciHost.create();
    await pusher.push("diff", [
      { archive: rawArchive([good]), compression: "gzip", diffId: digestOf(Buffer.from("other")) },
    ]);
    await assert.rejects((await host.open()).pull(`${registry.host}/bad:diff`), {
      kind: "mismatch",
      message: /unpacks to sha256:.*configuration says/,
    });
    assert.deepEqual(await leftIn(host), []);
  });

  test("bombs of bytes, of entries and of layers are refused within their bounds", async () => {
    await using host = await OciHost.create();
    const images = await host.open({
      limits: { maxUnpackedBytes: 4 * 1024 * 1024, maxEntries: 100, maxLayers: 5, maxBlobBytes: 1024 * 1024 },
    });
    const zeros = rawArchive([{ name: "zeros", content: "\0".repeat(64 * 1024 * 1024) }]);
    for (const compression of ["gzip", "zstd"] as const) {
      const { layers } = await pusher.push(`bytes-${compression}`, [{ archive: zeros, compression }]);
      assert.ok((layers[0]?.size ?? 0) < 1024 * 1024, "it is small as it is transferred");
      await assert.rejects(images.pull(`${registry.host}/bad:bytes-${compression}`), {
        kind: "unsafe",
        message: /larger than 4194304 bytes/,
      });
    }
    const empty = Array.from({ length: 200 }, (_, number) => ({ name: `empty-${number}` }));
    await pusher.push("entries", [{ archive: rawArchive(empty), compression: "gzip" }]);
    await assert.rejects(images.pull(`${registry.host}/bad:entries`), {
      kind: "unsafe",
      message: /more than 100 entries/,
    });
    const deep = rawArchive([
      { name: Array.from({ length: 45 }, () => "d").join("/") },
      { name: Array.from({ length: 45 }, () => "e").join("/") },
      { name: "x/y/z/1/2/3/4/5/6/7/8/9/0" },
    ]);
    await pusher.push("implied", [{ archive: deep, compression: "gzip" }]);
    await assert.rejects(images.pull(`${registry.host}/bad:implied`), {
      kind: "unsafe",
      message: /more than 100 entries/,
    });
    await pusher.push(
      "layers",
      Array.from({ length: 6 }, (_, number) => ({
        archive: rawArchive([{ name: `n${number}` }]),
        compression: "gzip",
      })),
    );
    await assert.rejects(images.pull(`${registry.host}/bad:layers`), {
      kind: "unsafe",
      message: /6 layers; at most 5/,
    });
    await pusher.push("blob", [
      { archive: rawArchive([{ name: "n", content: "x".repeat(2 * 1024 * 1024) }]), compression: "none" },
    ]);
    await assert.rejects(images.pull(`${registry.host}/bad:blob`), {
      kind: "unsafe",
      message: /at most 1048576 are taken/,
    });
    assert.deepEqual(await leftIn(host), []);
  });

  test("damaged archives are refused: cut compression, cut entries, wrong checksums, rubbish", async () => {
    await using host = await OciHost.create();
    const images = await host.open();
    const whole = rawArchive([{ name: "file", content: "x".repeat(5000) }]);
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(10) ^ 1, 10);
    const damaged: Record<string, Buffer> = {
      cut: whole.subarray(0, 2000),
      flipped,
      rubbish: Buffer.from("rubbish ".repeat(200)),
      gzip: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]),
      zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0xff, 0xff, 0xff]),
    };
    for (const [tag, archive] of Object.entries(damaged)) {
      await pusher.push(tag, [{ archive, compression: "none" }]);
      await assert.rejects(
        images.pull(`${registry.host}/bad:${tag}`),
        { name: "OciError", kind: "mismatch" },
        tag,
      );
    }
    assert.deepEqual(await leftIn(host), []);
  });

  test("a layer that writes through a link of a layer below is refused, as it would hide the link", async () => {
    await using host = await OciHost.create();
    const below = rawArchive([
      { name: "usr/bin", type: "5", mode: 0o755 },
      { name: "bin", type: "2", linkName: "usr/bin" },
    ]);
    await pusher.push(
      "through",
      [below, rawArchive([{ name: "bin/tool" }])].map((archive) => ({ archive, compression: "gzip" })),
    );
    const images = await host.open();
    await assert.rejects(images.pull(`${registry.host}/bad:through`), {
      kind: "unsupported",
      message: /"bin" through a link/,
    });
    // A directory that the layer has itself replaces the link, as its author means it.
    const replacing = rawArchive([{ name: "bin", type: "5", mode: 0o755 }, { name: "bin/tool" }]);
    await pusher.push(
      "replacing",
      [below, replacing].map((archive) => ({ archive, compression: "gzip" })),
    );
    assert.match(await describeImage(await images.pull(`${registry.host}/bad:replacing`)), /\.\/bin\/tool f/);
  });

  test("an image of Docker's schema 1 is refused with what to do", async () => {
    await using host = await OciHost.create();
    await using old = await serveManifest(
      { schemaVersion: 1, name: "old", tag: "v1", fsLayers: [] },
      "application/vnd.docker.distribution.manifest.v1+prettyjws",
    );
    await assert.rejects((await host.open()).pull(`${old.host}/old:v1`), {
      kind: "unsupported",
      message: /schema 1.*pushed again/,
    });
  });

  test("extraction ends with the process that began it, and what it left is collected", async () => {
    await using host = await OciHost.create();
    const entries = Array.from({ length: 20_000 }, (_, number) => ({ name: `f${number}`, content: "x" }));
    await pusher.push("many", [{ archive: rawArchive(entries), compression: "gzip" }]);
    const child = spawnPull(host.imagesDirectory, `${registry.host}/bad:many`);
    const building = async () =>
      (await readdir(host.imagesDirectory).catch(() => [])).find((name) => name.startsWith(".building"));
    // Held where it is, so that it is not done before it is looked at.
    const extracting = await until(async () => {
      const pids = (await processesSeeing(host.imagesDirectory)).filter(hold);
      return pids.length > 0 && pids;
    }, 60_000).finally(() => child.kill("SIGKILL"));
    assert.ok((await building()) !== undefined && extracting.length > 0, "the extraction was held");
    if (child.signalCode === null) await once(child, "exit");
    await until(async () => (await processesSeeing(host.imagesDirectory)).length === 0, 60_000);

    const { createImageStore } = await import("../../../agent/src/images/image-store.ts");
    await (
      await createImageStore({ imagesDirectory: host.imagesDirectory, logger: { info() {}, warn() {} } })
    ).close();
    assert.equal(await building(), undefined);
    const image = await (await host.open()).pull(`${registry.host}/bad:many`);
    assert.equal((await readdir(image.layers[0]?.directory ?? "")).length, 20_000);
    assert.equal((await leftIn(host)).length, 1, "nothing but the layer");
  });
});

/** Layers and builds that are in the images directory. */
async function leftIn(host: OciHost): Promise<string[]> {
  const partial = await readdir(join(host.imagesDirectory, "oci/partial")).catch(() => []);
  return [...(await readdir(host.imagesDirectory)).filter((name) => name !== "oci"), ...partial];
}

/** Returns the pids of processes that have something of a directory mounted. */
async function processesSeeing(directory: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const seeing = await Promise.all(
    pids.map(async (pid) =>
      (await readFile(`/proc/${pid}/mountinfo`, "utf8").catch(() => "")).includes(directory) ? pid : null,
    ),
  );
  return seeing.filter((pid) => pid !== null);
}

/** Stops the process; returns false where it has ended by itself meanwhile. */
function hold(pid: number): boolean {
  try {
    return process.kill(pid, "SIGSTOP");
  } catch {
    return false;
  }
}

async function serveManifest(
  document: unknown,
  mediaType: string,
): Promise<{ host: string } & AsyncDisposable> {
  const { createServer } = await import("node:http");
  const server = createServer((_request, response) =>
    response.writeHead(200, { "content-type": mediaType }).end(JSON.stringify(document)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    host: `127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** setxattr and llistxattr by number: attr's tools are not on every Debian. */
const numbers = process.arch === "x64" ? { set: 188, list: 195 } : { set: 5, list: 12 };
const setAttributeScript = `my ($p, $n, $v) = (@ARGV, "y"); syscall(${numbers.set}, $p, $n, $v, 1, 0) == 0 or die "setxattr: $!"`;
const listAttributesScript = `my ($p, $b) = ($ARGV[0], "\\0" x 4096); my $n = syscall(${numbers.list}, $p, $b, 4096); $n >= 0 or die "llistxattr: $!"; print substr($b, 0, $n)`;
