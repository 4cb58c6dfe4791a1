/**
 * Pulls go on over cut connections and killed processes, show their credentials to the registry only, and
 * take mirrors.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { until } from "../support/host/container-host.ts";
import { ImagePusher, rawArchive, type ImageLayer } from "../support/images/docker-registry-image.ts";
import { RegistryProxy, type BlobTreatment } from "../support/images/docker-registry-proxy.ts";
import { TokenServer } from "../support/images/docker-registry-token.ts";
import { DockerRegistry } from "../support/images/docker-registry.ts";
import { OciHost, spawnPull } from "../support/images/oci-host.ts";

const login = { username: "puller", password: "pass:word" };
const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
const sizeBytes = 8 * 1024 * 1024;

describe("pulling over bad networks", { timeout: 300_000 }, () => {
  let directory: string;
  let registry: DockerRegistry;
  let layer: ImageLayer;
  let blob: { digest: string; size: number };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-registry-"));
    registry = await DockerRegistry.start(join(directory, "registry"));
    layer = {
      archive: rawArchive([{ name: "noise", content: randomBytes(sizeBytes / 2).toString("hex") }]),
      compression: "none",
    };
    const { layers } = await new ImagePusher(registry.host, "app").push("v1", [layer]);
    assert.ok(layers[0] !== undefined);
    [blob] = [layers[0]];
  });
  after(async () => {
    await registry[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const layerRequests = (proxy: RegistryProxy) =>
    proxy.blobRequests().filter(({ path }) => path.endsWith(blob.digest));
  const cut = (times: number): BlobTreatment => ({ afterBytes: 2 * 1024 * 1024, then: "cut", times });

  test("a connection that is cut three times is taken up where it stopped", async () => {
    await using host = await OciHost.create();
    await using proxy = await RegistryProxy.start(registry.host);
    proxy.treatment = cut(3);
    await (await host.open()).pull(`${proxy.host}/app:v1`);
    const requests = layerRequests(proxy);
    assert.deepEqual(proxy.treatment.times, 0, "the connection was cut");
    assert.equal(requests.length, 4);
    assert.equal(requests[0]?.range, undefined);
    for (const { range } of requests.slice(1)) assert.match(range ?? "", /^bytes=[1-9]\d*-$/);
    const sentBytes = requests.reduce((sum, request) => sum + request.sentBytes, 0);
    assert.ok(
      sentBytes >= blob.size && sentBytes < blob.size + 3 * 1024 * 1024,
      `${sentBytes} of ${blob.size} bytes were sent`,
    );
  });

  test("a connection on which nothing comes any more is given up and taken up", async () => {
    await using host = await OciHost.create();
    await using proxy = await RegistryProxy.start(registry.host);
    proxy.treatment = { ...cut(1), then: "stall" };
    await (await host.open({ inactivityMs: 5_000 })).pull(`${proxy.host}/app:v1`);
    assert.ok(proxy.isStalled);
    const requests = layerRequests(proxy);
    assert.ok(requests.length >= 2);
    assert.match(requests.at(-1)?.range ?? "", /^bytes=[1-9]\d*-$/);
  });

  test("a registry that cuts every time is given up, and the next pull goes on", async () => {
    await using host = await OciHost.create();
    await using proxy = await RegistryProxy.start(registry.host);
    // Too little to count as progress, and more than a cut connection loses of what had arrived and waited to
    // be read (64 KB).
    proxy.treatment = { afterBytes: 512 * 1024, then: "cut", times: 1000 };
    const images = await host.open();
    await assert.rejects(images.pull(`${proxy.host}/app:v1`), { kind: "unreachable" });
    assert.equal(layerRequests(proxy).length, 6);
    assert.deepEqual(await images.list(), []);
    assert.deepEqual(
      (await readdir(host.imagesDirectory)).filter((name) => name !== "oci"),
      [],
    );
    proxy.treatment = null;
    await images.pull(`${proxy.host}/app:v1`);
    assert.match(layerRequests(proxy).at(-1)?.range ?? "", /^bytes=[1-9]\d*-$/);
  });

  test("after kill -9 in the middle of a blob only the rest is transferred", async () => {
    await using host = await OciHost.create();
    await using proxy = await RegistryProxy.start(registry.host);
    proxy.treatment = { afterBytes: 5 * 1024 * 1024, then: "stall", times: 1 };
    const child = spawnPull(host.imagesDirectory, `${proxy.host}/app:v1`);
    const partial = join(host.imagesDirectory, "oci/partial");
    const presentBytes = async () => {
      const [name] = await readdir(partial).catch(() => []);
      return name === undefined ? 0 : (await readFile(join(partial, name))).length;
    };
    await until(async () => proxy.isStalled && (await presentBytes()) > 4 * 1024 * 1024, 60_000);
    child.kill("SIGKILL");
    await once(child, "exit");
    const leftBytes = await presentBytes();
    await (await host.open()).pull(`${proxy.host}/app:v1`);
    const [, resumed, ...more] = layerRequests(proxy);
    assert.equal(resumed?.range, `bytes=${leftBytes}-`);
    assert.equal(resumed.sentBytes, blob.size - leftBytes);
    assert.equal(more.length, 0);
    assert.deepEqual(await readdir(partial), []);
  });

  test("what a killed pull left and was damaged since is fetched anew", async () => {
    await using host = await OciHost.create();
    await using proxy = await RegistryProxy.start(registry.host);
    proxy.treatment = { afterBytes: 5 * 1024 * 1024, then: "cut", times: 1000 };
    const images = await host.open();
    const controller = new AbortController();
    const pulling = images.pull(`${proxy.host}/app:v1`, { signal: controller.signal });
    await until(() => layerRequests(proxy).some((request) => request.sentBytes > 0), 60_000);
    controller.abort(new Error("not wanted any more"));
    await assert.rejects(pulling, /not wanted any more/);
    const partial = join(host.imagesDirectory, "oci/partial");
    const [name] = await readdir(partial);
    assert.ok(name !== undefined);
    await writeFile(join(partial, name), Buffer.alloc(1000, "x"));
    proxy.treatment = null;
    await images.pull(`${proxy.host}/app:v1`);
    assert.deepEqual(
      layerRequests(proxy)
        .slice(-2)
        .map(({ range }) => range),
      ["bytes=1000-", undefined],
    );
  });

  test("a registry that asks for patience is left alone for as long, one that asks for too much is not waited for", async () => {
    await using host = await OciHost.create();
    await using proxy = await RegistryProxy.start(registry.host);
    const images = await host.open();
    proxy.refusals = [
      { statusCode: 429, headers: { "retry-after": "1" } },
      { statusCode: 503, headers: {} },
    ];
    const startedAtMs = performance.now();
    await images.pull(`${proxy.host}/app:v1`);
    assert.ok(performance.now() - startedAtMs >= 1000);
    proxy.refusals = [{ statusCode: 429, headers: { "retry-after": "3600" } }];
    await assert.rejects(images.pull(`${proxy.host}/app:v1`), {
      kind: "unreachable",
      message: /answered 429/,
    });
    await assert.rejects(images.pull(`${proxy.host}/app:none`), {
      kind: "refused",
      message: /404 .*MANIFEST_UNKNOWN/,
    });
  });

  test("a pull that takes too long is ended", async () => {
    await using host = await OciHost.create();
    await using proxy = await RegistryProxy.start(registry.host);
    proxy.treatment = { ...cut(1), then: "stall" };
    const images = await host.open({ pullTimeoutMs: 1500 });
    await assert.rejects(images.pull(`${proxy.host}/app:v1`), {
      kind: "unreachable",
      message: /could not be pulled within/,
    });
  });

  test("a damaged blob is refused, and a truncated one too", async () => {
    await using host = await OciHost.create();
    const images = await host.open();
    for (const [tag, damage] of Object.entries({
      changed: async (file: string) => {
        const bytes = await readFile(file);
        bytes.writeUInt8(bytes.readUInt8(700) ^ 1, 700);
        await writeFile(file, bytes);
      },
      short: (file: string) => truncate(file, 600),
    })) {
      const archive = rawArchive([{ name: tag, content: "x".repeat(1000) }]);
      const { layers } = await new ImagePusher(registry.host, "damaged").push(tag, [
        { archive, compression: "none" },
      ]);
      await damage(registry.blobFile(layers[0]?.digest ?? ""));
      await assert.rejects(images.pull(`${registry.host}/damaged:${tag}`), {
        name: "OciError",
        kind: tag === "changed" ? "mismatch" : "unreachable",
      });
    }
    assert.deepEqual(await images.list(), []);
  });

  test("credentials go to the registry and not to the host that it redirects to", async () => {
    await using host = await OciHost.create();
    await using closed = await DockerRegistry.start(join(directory, "closed"), { kind: "basic", login });
    await new ImagePusher(closed.host, "app", authorization).push("v1", [layer]);
    await using elsewhere = await RegistryProxy.start(registry.host);
    await using front = await RegistryProxy.start(closed.host);
    front.redirectBlobsTo = `http://${elsewhere.host}`;
    // The other host has the same blobs, for anybody.
    await new ImagePusher(registry.host, "app").push("v1", [layer]);
    const authFile = await writeAuthFile(directory, front.host);
    await (await host.open({ authFile })).pull(`${front.host}/app:v1`);
    assert.ok(
      front.seen.some((request) => request.authorization === authorization),
      "the registry was shown the credentials",
    );
    assert.ok(elsewhere.seen.length >= 2, "blobs came from the other host");
    for (const request of elsewhere.seen) assert.equal(request.authorization, undefined);
  });

  test("a password opens a closed registry, a wrong one and none do not, and no error tells it", async () => {
    await using host = await OciHost.create();
    await using closed = await DockerRegistry.start(join(directory, "basic"), { kind: "basic", login });
    await new ImagePusher(closed.host, "app", authorization).push("v1", [layer]);
    await assert.rejects((await host.open()).pull(`${closed.host}/app:v1`), {
      kind: "refused",
      message: /asks for a password/,
    });
    const wrong = await writeAuthFile(directory, closed.host, "other-secret");
    await assert.rejects(
      (await host.open({ authFile: wrong })).pull(`${closed.host}/app:v1`),
      (error: Error & { kind?: string }) => {
        assert.equal(error.kind, "refused");
        assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /other-secret|Basic/);
        return true;
      },
    );
    const authFile = await writeAuthFile(directory, closed.host);
    await (await host.open({ authFile })).pull(`${closed.host}/app:v1`);
  });

  test("a token server is asked for what the registry says, and again when a token has run out", async () => {
    await using host = await OciHost.create();
    await mkdir(join(directory, "token"));
    await using tokens = await TokenServer.start({ directory: join(directory, "token"), login });
    const access = { kind: "token", realm: tokens.realm, certificate: tokens.certificate } as const;
    await using closed = await DockerRegistry.start(join(directory, "token/registry"), access);
    const url = `${tokens.realm}?scope=repository:team/app:pull,push`;
    const { token } = (await (await fetch(url, { headers: { authorization } })).json()) as { token: string };
    await new ImagePusher(closed.host, "team/app", `Bearer ${token}`).push("v1", [layer]);
    await assert.rejects((await host.open()).pull(`${closed.host}/team/app:v1`), {
      kind: "refused",
      message: /token server .* answered 401/,
    });

    tokens.asked.length = 0;
    await using front = await RegistryProxy.start(closed.host);
    const authFile = await writeAuthFile(directory, front.host);
    const images = await host.open({ authFile });
    await images.pull(`${front.host}/team/app:v1`);
    assert.deepEqual(tokens.asked, [{ scope: "repository:team/app:pull", isKnown: true }]);
    const sent = new Set(front.seen.map((request) => request.authorization?.split(" ")[0]));
    assert.deepEqual([...sent], [undefined, "Bearer"], "the password went to the token server only");

    // The token of this pull runs out between the manifest and the configuration.
    const challenge = `Bearer realm="${tokens.realm}",service="test registry",scope="repository:team/app:pull"`;
    front.refusals = [null, null, { statusCode: 401, headers: { "www-authenticate": challenge } }];
    await images.pull(`${front.host}/team/app:v1`);
    assert.equal(tokens.asked.length, 3);
  });

  test("a mirror is asked first, and the registry itself where the mirror does not have it", async () => {
    await using host = await OciHost.create();
    await using mirror = await RegistryProxy.start(registry.host);
    await using empty = await DockerRegistry.start(join(directory, "empty"));
    await new ImagePusher(registry.host, "mirrored/library/tool").push("v1", [layer]);
    const mirrors = new Map([["docker.io", [`http://${empty.host}`, `http://${mirror.host}/mirrored`]]]);
    await (await host.open({ mirrors })).pull("tool:v1");
    assert.ok(mirror.seen.every(({ path }) => path.startsWith("/v2/mirrored/library/tool/")));
    assert.ok(mirror.seen.length >= 3);

    await using other = await OciHost.create();
    const gone = new Map([[registry.host, ["http://127.0.0.1:1", `http://${empty.host}`]]]);
    await (await other.open({ mirrors: gone })).pull(`${registry.host}/app:v1`);
  });
});

async function writeAuthFile(directory: string, host: string, password = login.password): Promise<string> {
  const path = join(directory, `auth-${randomBytes(4).toString("hex")}.json`);
  const auth = Buffer.from(`${login.username}:${password}`).toString("base64");
  await writeFile(path, JSON.stringify({ auths: { [host]: { auth } } }));
  return path;
}
