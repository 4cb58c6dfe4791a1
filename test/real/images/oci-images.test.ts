/** Images of a real registry are pulled, and look stacked as another tool unpacks them. */

import assert from "node:assert/strict";
import {
  chmod,
  chown,
  cp,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { underOpenUmask } from "../../support/machine/open-umask.ts";
import {
  archiveOf,
  hostArchitecture,
  ImagePusher,
  rawArchive,
  type Compression,
  type ImageLayer,
} from "../support/images/docker-registry-image.ts";
import { DockerRegistry } from "../support/images/docker-registry.ts";
import { describeImage, describeTree, OciHost } from "../support/images/oci-host.ts";

const config = {
  Env: ["PATH=/usr/bin:/bin", "GREETING=olá"],
  User: "1000:1000",
  WorkingDir: "/srv",
  Entrypoint: ["/bin/entry"],
  Cmd: ["serve"],
};

describe("images of a registry", { timeout: 300_000 }, () => {
  let directory: string;
  let registry: DockerRegistry;
  let archives: Buffer[];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-registry-"));
    registry = await DockerRegistry.start(join(directory, "registry"));
    archives = await underOpenUmask(() => makeLayers(directory));
  });
  after(async () => {
    await registry[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const layersIn = (compression: Compression): ImageLayer[] =>
    archives.map((archive) => ({ archive, compression }));
  const reference = (name: string) => `${registry.host}/team/${name}`;

  test("gzip, zstd and plain layers stack to what umoci unpacks", async () => {
    const pusher = new ImagePusher(registry.host, "team/app");
    await pusher.push("gzip", layersIn("gzip"), { config });
    const layout = join(directory, "layout");
    await exec(
      ["skopeo", "copy", "--src-tls-verify=false", `docker://${reference("app:gzip")}`, `oci:${layout}:gzip`],
      {
        timeoutMs: 60_000,
      },
    );
    const unpack = ["umoci", "unpack", "--image", `${layout}:gzip`, join(directory, "bundle")];
    await underOpenUmask(() => exec(unpack, { timeoutMs: 60_000 }));
    const expected = await describeTree(join(directory, "bundle/rootfs"));
    assert.match(expected, /\.\/home\/user d 700 1000:1000\n/);
    assert.match(expected, /\.\/opaque\/new f /);
    assert.doesNotMatch(expected, /gone|opaque\/old/);

    for (const compression of ["gzip", "zstd", "none"] as const) {
      await using host = await OciHost.create();
      await pusher.push(compression, layersIn(compression), { config });
      const images = await host.open();
      const image = await images.pull(reference(`app:${compression}`));
      assert.equal(await describeImage(image), expected, compression);
      assert.deepEqual(image.config, {
        environment: { PATH: "/usr/bin:/bin", GREETING: "olá" },
        user: "1000:1000",
        workingDirectory: "/srv",
        entrypoint: ["/bin/entry"],
        cmd: ["serve"],
        architecture: hostArchitecture,
      });
      assert.deepEqual(await readdir(join(host.imagesDirectory, "oci/partial")), [], "blobs are left over");
      assert.doesNotMatch((await readdir(host.imagesDirectory)).join(), /building/);
    }
  });

  test("an index gives the image of this architecture, by tag and by digest", async () => {
    await using host = await OciHost.create();
    const pusher = new ImagePusher(registry.host, "team/many");
    const pushed = [];
    for (const architecture of ["amd64", "arm64"]) {
      const archive = rawArchive([{ name: "architecture", content: architecture }]);
      const { manifestDigest } = await pusher.push(architecture, [{ archive, compression: "gzip" }], {
        architecture,
      });
      pushed.push({ digest: manifestDigest, architecture });
    }
    const indexDigest = await pusher.pushIndex("v1", [
      { digest: pushed[0]?.digest ?? "", architecture: "s390x" },
      ...pushed,
    ]);
    const images = await host.open();
    for (const [architecture, words] of [
      ["x64", "amd64"],
      ["arm64", "arm64"],
    ] as const) {
      await using other = await OciHost.create();
      const image = await (await other.open({ architecture })).pull(reference("many:v1"));
      assert.equal(image.digest, pushed.find((one) => one.architecture === words)?.digest);
      assert.equal(await readFile(join(image.layers[0]?.directory ?? "", "architecture"), "utf8"), words);
    }
    const byDigest = await images.pull(reference(`many:whatever@${indexDigest}`));
    assert.equal(byDigest.config.architecture, hostArchitecture);
    const foreign = pushed.find(({ architecture }) => architecture !== hostArchitecture);
    await assert.rejects(images.pull(reference(`many@${foreign?.digest}`)), {
      kind: "unsupported",
      message: /made for linux\/.*, not for/,
    });
  });

  test("layers are shared between images, and simultaneous pulls transfer each once", async () => {
    await using host = await OciHost.create();
    const base: ImageLayer = { archive: rawArchive([{ name: "base", content: "b" }]), compression: "gzip" };
    const top = (name: string): ImageLayer => ({
      archive: rawArchive([{ name, content: name }]),
      compression: "gzip",
    });
    const pusher = new ImagePusher(registry.host, "team/shared");
    await pusher.push("one", [base, top("one"), base]);
    await pusher.push("two", [base, top("two")]);
    const images = await host.open();
    const lines: string[] = [];
    const onProgress = (line: string) => lines.push(line);
    const [one, again, two] = await Promise.all([
      images.pull(reference("shared:one"), { onProgress }),
      images.pull(reference("shared:one")),
      images.pull(reference("shared:two"), { onProgress }),
    ]);
    assert.deepEqual(one, again);
    assert.equal(one.layers.length, 2, "a layer that is repeated stands once");
    assert.equal(one.layers[0]?.directory, two.layers[1]?.directory);
    assert.match(await describeImage(one), /\.\/base f .*\n.*\.\/one f /);
    assert.equal(
      (await readdir(host.imagesDirectory)).filter((name) => /^[0-9a-f]{32}$/.test(name)).length,
      3,
    );
  });

  test("what was pulled starts without the registry, and only a pull asks what a tag is now", async () => {
    await using host = await OciHost.create();
    const pusher = new ImagePusher(registry.host, "team/offline");
    const push = (content: string) =>
      pusher.push("v1", [{ archive: rawArchive([{ name: "version", content }]), compression: "gzip" }]);
    const own = await DockerRegistry.start(join(directory, "own"));
    try {
      const ownPusher = new ImagePusher(own.host, "app");
      await ownPusher.push(
        "v1",
        [{ archive: rawArchive([{ name: "a", content: "a" }]), compression: "gzip" }],
        { config },
      );
      const name = `${own.host}/app:v1`;
      const pulled = await (await host.open()).ensure(name);
      await own[Symbol.asyncDispose]();
      await assert.rejects(fetch(`http://${own.host}/v2/`));
      assert.deepEqual(await (await host.open()).ensure(name), pulled);
    } finally {
      await own[Symbol.asyncDispose]();
    }

    await push("1");
    const images = await host.open();
    const first = await images.ensure(reference("offline:v1"));
    await push("2");
    assert.deepEqual(await images.ensure(reference("offline:v1")), first);
    const second = await images.pull(reference("offline:v1"));
    assert.notEqual(second.digest, first.digest);
    assert.deepEqual(await images.ensure(reference("offline:v1")), second);
    const records = await images.list();
    assert.equal(records.length, 2);
    assert.deepEqual(
      records.filter(({ isPinned }) => isPinned).map(({ digest }) => digest),
      [second.digest],
    );
    const kept = new Set(await images.rootsInUse());
    for (const { directory: layer } of first.layers) {
      assert.ok(
        kept.has(layer),
        "its users may not be known yet, also when the reference has become another image",
      );
    }
    const inUse = await images.rootsInUse({ keepMs: 0 });
    assert.deepEqual(
      inUse,
      second.layers.map((layer) => layer.directory),
      "what an operator pulled is kept, whatever else is",
    );
  });

  test("an image whose layer is gone is pulled again", async () => {
    await using host = await OciHost.create();
    const images = await host.open();
    await new ImagePusher(registry.host, "team/app").push("whole", layersIn("gzip"));
    const image = await images.ensure(reference("app:whole"));
    await rm(join(image.layers.at(-1)?.directory ?? "", ".."), { recursive: true });
    const again = await images.ensure(reference("app:whole"));
    assert.deepEqual(again, image);
    assert.ok((await lstat(again.layers.at(-1)?.directory ?? "")).isDirectory());
  });
});

/**
 * A base; changes that hide, replace and empty things; and files in directories that the archive does not
 * have.
 */
async function makeLayers(directory: string): Promise<Buffer[]> {
  const base = join(directory, "base");
  await mkdir(join(base, "home/user/private"), { recursive: true });
  for (const name of ["etc", "data", "gone-directory", "opaque/old", "becomes-file", "tmp", "srv", "dev"])
    await mkdir(join(base, name), { recursive: true });
  for (const name of [
    "etc/passwd",
    "data/kept",
    "data/gone",
    "gone-directory/x",
    "opaque/old/x",
    "becomes-file/x",
    "becomes-directory",
    "home/user/file",
  ]) {
    await writeFile(join(base, name), `${name}\n`);
  }
  await writeFile(join(base, "data/tool"), "#!/bin/sh\n");
  await chmod(join(base, "data/tool"), 0o4755);
  await link(join(base, "data/tool"), join(base, "data/tool-again"));
  await symlink("/etc/passwd", join(base, "data/absolute"));
  await symlink("../etc/passwd", join(base, "data/relative"));
  await writeFile(join(base, `data/${"long-".repeat(40)}`), "long");
  await writeFile(join(base, "data/açaí"), "utf-8");
  await writeFile(Buffer.concat([Buffer.from(`${base}/data/`), Buffer.from([0xff, 0xfe])]), "no utf-8");
  await writeFile(join(base, "data/large"), Buffer.alloc(3 * 1024 * 1024, "0123456789abcdef!"));
  await chmod(join(base, "tmp"), 0o1777);
  await chmod(join(base, "home/user"), 0o700);
  for (const name of ["home/user", "home/user/file", "home/user/private"])
    await chown(join(base, name), 1000, 1000);
  await utimes(join(base, "etc/passwd"), 1_000_000_000, 1_000_000_000);

  const changes = join(directory, "changes");
  await mkdir(join(changes, "opaque"), { recursive: true });
  await mkdir(join(changes, "data"));
  await mkdir(join(changes, "becomes-directory"));
  await cp(join(base, "data/tool"), join(changes, "data/added"));
  for (const name of [
    "data/.wh.gone",
    ".wh.gone-directory",
    "opaque/.wh..wh..opq",
    "opaque/new",
    "becomes-file",
    "becomes-directory/x",
  ]) {
    await writeFile(join(changes, name), "");
  }

  const implied = join(directory, "implied");
  await mkdir(join(implied, "home/user/private/deep"), { recursive: true });
  for (const name of ["home/user/private/deep/new", "home/user/.wh.file", "tmp-file"])
    await writeFile(join(implied, name), "new");
  return [
    await archiveOf(base),
    await archiveOf(changes),
    await archiveOf(implied, ["home/user/private/deep/new", "home/user/.wh.file", "tmp-file"]),
  ];
}
