import assert from "node:assert/strict";
import { test } from "node:test";
import { parseImageConfig } from "./image-config.ts";
import { parseManifest, selectPlatform, type ImageIndex } from "./image-manifest.ts";

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const gzipLayer = "application/vnd.oci.image.layer.v1.tar+gzip";
const part = (mediaType: string, digit = "1") => ({ mediaType, digest: digest(digit), size: 10 });

function indexOf(
  ...platforms: [architecture: string, variant?: string | undefined, os?: string][]
): ImageIndex {
  const manifests = platforms.map(([architecture, variant, os = "linux"], position) => ({
    ...part("application/vnd.oci.image.manifest.v1+json", String(position)),
    platform: { os, architecture, ...(variant === undefined ? {} : { variant }) },
  }));
  return { schemaVersion: 2, manifests };
}

test("the image of this architecture is chosen from an index, by variant", () => {
  const everything = indexOf(
    ["unknown", undefined, "unknown"],
    ["amd64", "v3"],
    ["amd64"],
    ["arm64", "v9"],
    ["arm64"],
    ["arm64", "v8"],
    ["arm", "v7"],
  );
  assert.equal(selectPlatform(everything, "x64").digest, digest("2"));
  assert.equal(selectPlatform(everything, "arm64").digest, digest("5"));
  assert.equal(selectPlatform(indexOf(["arm64"]), "arm64").digest, digest("0"));
  assert.throws(
    () => selectPlatform(indexOf(["amd64", "v3"], ["amd64", undefined, "windows"]), "x64"),
    /only for linux\/amd64\/v3, windows\/amd64/,
  );
});

test("documents of OCI and Docker are read alike, by their own type or by the header's", () => {
  const config = part("application/vnd.docker.container.image.v1+json");
  for (const mediaType of [
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
  ]) {
    assert.ok(
      "manifest" in
        parseManifest(json({ schemaVersion: 2, mediaType, config, layers: [part(gzipLayer)] }), ""),
    );
    assert.ok(
      "manifest" in
        parseManifest(json({ schemaVersion: 2, config, layers: [] }), `${mediaType}; charset=utf-8`),
    );
  }
  for (const mediaType of [
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
  ]) {
    assert.ok("index" in parseManifest(json({ schemaVersion: 2, mediaType, manifests: [] }), ""));
  }
});

test("what is not taken is refused with a sentence that says why", () => {
  const config = part("application/vnd.oci.image.config.v1+json");
  const wrong: [body: Buffer, type: string, why: RegExp][] = [
    [
      json({ schemaVersion: 1, name: "a", fsLayers: [] }),
      "application/vnd.docker.distribution.manifest.v1+prettyjws",
      /schema 1/,
    ],
    [json({ schemaVersion: 1 }), "application/json", /schema 1/],
    [
      json({
        schemaVersion: 2,
        config,
        layers: [part("application/vnd.oci.image.layer.v1.tar+gzip+encrypted")],
      }),
      "",
      /encrypted/,
    ],
    [
      json({
        schemaVersion: 2,
        config,
        layers: [part("application/vnd.docker.image.rootfs.foreign.diff.tar.gzip")],
      }),
      "",
      /foreign/,
    ],
    [
      json({ schemaVersion: 2, config, layers: [{ ...part(gzipLayer), digest: "sha256:../../x" }] }),
      "",
      /layers\.0\.digest/,
    ],
    [json({ schemaVersion: 2, config, layers: [{ ...part(gzipLayer), size: -1 }] }), "", /layers\.0\.size/],
    [Buffer.from("<html>"), "text/html", /no JSON/],
    [json(null), "", /malformed/],
  ];
  for (const [body, type, why] of wrong)
    assert.throws(() => parseManifest(body, type), { kind: "unsupported", message: why }, String(body));
});

test("a configuration tells diff ids and how the image is to be run, and one for another machine is refused", () => {
  const rootfs = { type: "layers", diff_ids: [digest("a")] };
  const config = {
    Env: ["PATH=/bin", "EMPTY=", "EQUALS=a=b", "PATH=/usr/bin"],
    User: "app",
    WorkingDir: "/srv",
    Entrypoint: null,
    Cmd: ["run"],
  };
  const read = parseImageConfig(json({ os: "linux", architecture: "amd64", rootfs, config }), "x64");
  assert.deepEqual(read, {
    diffIds: [digest("a")],
    config: {
      environment: { PATH: "/usr/bin", EMPTY: "", EQUALS: "a=b" },
      user: "app",
      workingDirectory: "/srv",
      entrypoint: [],
      cmd: ["run"],
      architecture: "amd64",
    },
  });
  assert.deepEqual(
    parseImageConfig(json({ os: "linux", architecture: "arm64", variant: "v8", rootfs }), "arm64").config.cmd,
    [],
  );
  assert.throws(
    () => parseImageConfig(json({ os: "linux", architecture: "arm64", rootfs }), "x64"),
    /made for linux\/arm64, not for linux\/amd64/,
  );
  assert.throws(
    () =>
      parseImageConfig(json({ os: "linux", architecture: "amd64", rootfs, config: { Env: ["=x"] } }), "x64"),
    /malformed variable/,
  );
});
