/** A release: the same sources give the same bytes, and its programs start from the unpacked tree. */

import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { ReleaseManifest } from "@tijolo/protocol";
import { publicHalf, ReleaseRefusedError, signRelease, verifyRelease } from "@tijolo/protocol/kit";
import { exec } from "../../agent/src/host/exec.ts";
import { buildRelease } from "../../cli/release/build-release.ts";
import { Program } from "../real/support/cluster/program.ts";
import { Operator } from "../support/cluster/operator.ts";
import { until } from "../support/until.ts";
import { copySources } from "./support/copied-sources.ts";

const architecture = process.arch === "arm64" ? "arm64" : "x64";
const timeoutMs = 600_000;

describe("a release", () => {
  let directory = "";
  let key: KeyObject;
  let manifest: ReleaseManifest;
  let tree = "";

  before(
    async () => {
      directory = await mkdtemp(join(tmpdir(), "tijolo-test-release-"));
      key = generateKeyPairSync("ed25519").privateKey;
      manifest = await build("one");
      await exec(["tar", "-xzf", join(directory, "one-out", manifest.files[0]?.name ?? ""), "-C", directory]);
      tree = join(directory, `tijolo-${manifest.version}-linux-${architecture}`);
    },
    { timeout: timeoutMs },
  );
  after(() => rm(directory, { recursive: true, force: true }));

  async function build(name: string): Promise<ReleaseManifest> {
    const root = join(directory, name);
    await copySources(root);
    return buildRelease({
      root,
      output: join(directory, `${name}-out`),
      architectures: [architecture],
      key,
      commitTime: 1_700_000_000,
      say: () => {},
    });
  }

  test("has the same bytes when it is built in another folder", { timeout: timeoutMs }, async () => {
    await build("a-longer-name/deeper/two");
    const [one, other] = [join(directory, "one-out"), join(directory, "a-longer-name/deeper/two-out")];
    const names = await readdir(one);
    assert.deepEqual(new Set(names), new Set([manifest.files[0]?.name, "release.json", "release.json.sig"]));
    for (const name of names)
      assert.ok(
        (await readFile(join(one, name))).equals(await readFile(join(other, name))),
        `${name} differs`,
      );
  });

  test("holds JavaScript alone, and the binaries of one architecture", async () => {
    const list = await readFile(join(tree, "files.sha256"), "utf8");
    const files = list.split("\n").flatMap((line) => line.split("  ")[1] ?? []);
    assert.deepEqual(
      files.filter((file) => /\.[cm]?tsx?$|\.map$|\.test\./.test(file)),
      [],
    );
    assert.deepEqual(
      files.filter((file) => file.endsWith(".node")).map((file) => file.split("/").at(-1)),
      [`linux-${architecture}.node`],
    );
    await exec(["sha256sum", "--check", "--quiet", "files.sha256"], { cwd: tree });
  });

  test("starts central and an agent, which names the release's version, and serves the panel", async () => {
    const data = join(directory, "data");
    await mkdir(data);
    const central = new Program({
      name: "central",
      logFile: join(directory, "central.log"),
      release: tree,
      settings: {
        TIJOLO_DATA_DIRECTORY: join(data, "central"),
        TIJOLO_LISTEN: "127.0.0.1:0",
        TIJOLO_GATEWAY_LISTEN: "127.0.0.1:0",
      },
    });
    await central.start();
    try {
      const url = /"api":"([^"]+)"/.exec(await central.log())?.[1] ?? "";
      const token = (await readFile(join(data, "central/first-operator-token"), "utf8")).trim();
      const operator = new Operator(url, token);
      const joinTokenFile = join(data, "join-token");
      await writeFile(joinTokenFile, await operator.createJoinToken());
      const agent = new Program({
        name: "agent",
        logFile: join(directory, "agent.log"),
        release: tree,
        settings: {
          TIJOLO_DATA_DIRECTORY: join(data, "agent"),
          TIJOLO_CENTRAL_URL: url,
          TIJOLO_JOIN_TOKEN_FILE: joinTokenFile,
          TIJOLO_RUNTIME: "process",
        },
      });
      await agent.start();
      try {
        const host = await until(async () =>
          (await operator.hosts()).find(({ state }) => state === "connected"),
        );
        assert.equal(host.agentVersion, manifest.version);
        const page = await fetch(`${url}/`, { headers: { accept: "text/html" } });
        assert.match(await page.text(), /<script type="module"/);
      } finally {
        await agent.stop();
      }
    } finally {
      await central.stop();
    }
  });

  test("is refused with another key's signature, and with one byte changed", async () => {
    const bytes = await readFile(join(directory, "one-out/release.json"));
    const signature = await readFile(join(directory, "one-out/release.json.sig"), "utf8");
    assert.equal(verifyRelease(bytes, signature, publicHalf(key)).version, manifest.version);

    const other = generateKeyPairSync("ed25519").privateKey;
    const refused = (reason: string) => (error: unknown) =>
      error instanceof ReleaseRefusedError && error.reason === reason;
    assert.throws(
      () => verifyRelease(bytes, signRelease(bytes, other), publicHalf(key)),
      refused("wrong_key"),
    );
    const forged = signRelease(bytes, other).replace(publicHalf(other), publicHalf(key));
    assert.throws(() => verifyRelease(bytes, forged, publicHalf(key)), refused("damaged"));
    const changed = Buffer.from(bytes.toString().replace("1700000000", "1700000001"));
    assert.throws(() => verifyRelease(changed, signature, publicHalf(key)), refused("damaged"));
    assert.throws(
      () => verifyRelease(bytes.subarray(0, -20), signature, publicHalf(key)),
      refused("damaged"),
    );
  });
});
