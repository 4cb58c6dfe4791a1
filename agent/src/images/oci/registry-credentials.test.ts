import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readRegistryCredentials } from "./registry-credentials.ts";

async function withFile(content: string, use: (path: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-auth-"));
  try {
    const path = join(directory, "config.json");
    await writeFile(path, content);
    await use(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const basic = (pair: string) => ({ auth: Buffer.from(pair).toString("base64") });

test("credentials are found by host, by address, and by the longest start of the repository", async () => {
  const auths = {
    "https://index.docker.io/v1/": basic("hub:one"),
    "registry.example:5000": basic("all:two:with:colons"),
    "registry.example:5000/team": basic("team:three"),
    "token.example": { identitytoken: "refresh" },
    "plain.example": { username: "u", password: "p" },
    "empty.example": {},
  };
  await withFile(JSON.stringify({ auths }), async (path) => {
    const find = await readRegistryCredentials(path);
    assert.deepEqual(find("docker.io", "library/node"), { username: "hub", password: "one" });
    assert.deepEqual(find("registry-1.docker.io", "library/node"), { username: "hub", password: "one" });
    assert.deepEqual(find("registry.example:5000", "other/app"), {
      username: "all",
      password: "two:with:colons",
    });
    assert.deepEqual(find("registry.example:5000", "team/app"), { username: "team", password: "three" });
    assert.deepEqual(find("registry.example:5000", "teams/app"), {
      username: "all",
      password: "two:with:colons",
    });
    assert.deepEqual(find("token.example", "app"), { identityToken: "refresh" });
    assert.deepEqual(find("plain.example", "app"), { username: "u", password: "p" });
    for (const host of ["empty.example", "registry.example", "other.example"])
      assert.equal(find(host, "app"), undefined, host);
  });
});

test("credentials that a helper program keeps are told of only where they would be needed", async () => {
  const file = {
    credsStore: "desktop",
    auths: { "a.example": {} },
    credHelpers: { "b.example": "ecr-login" },
  };
  await withFile(JSON.stringify(file), async (path) => {
    const find = await readRegistryCredentials(path);
    for (const host of ["a.example", "b.example"])
      assert.throws(() => find(host, "app"), /helper program/, host);
    assert.equal(find("c.example", "app"), undefined);
  });
});

test("a damaged file is refused without a word of what stands in it", async () => {
  for (const content of ['{"auths": {"x": {"auth": 5, "password": "secret-words"}}}', "secret-words", "[]"]) {
    await withFile(content, async (path) => {
      await assert.rejects(readRegistryCredentials(path), (error: Error) => {
        assert.match(error.message, /not a file of registry credentials/);
        assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /secret-words/);
        return true;
      });
    });
  }
});
