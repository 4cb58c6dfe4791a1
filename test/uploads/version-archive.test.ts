/** Tests the download of a version's archive (api.md: GET /projects/{id}/versions/{n}/archive). */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { apiRequest } from "../support/requests/api-request.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { StoredArchive } from "../support/archives/stored-archive.ts";

let stored: StoredArchive;
before(async () => {
  stored = await StoredArchive.create();
});
after(() => stored[Symbol.asyncDispose]());

/** Requests the archive, without reading its bytes as text. */
const fetchArchive = (headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${stored.cluster.centralUrl}/api/projects/${stored.project.id}/versions/1/archive`, {
    method,
    headers: { authorization: `Bearer ${stored.account.key}`, ...headers },
  });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

suite("the archive of a version", { concurrency: 1 }, () => {
  test("is what was uploaded, byte by byte, with its name, its size and its hash", async () => {
    const response = await fetchArchive();
    const content = await bytesOf(response);
    assert.deepEqual(content, await readFile(stored.file));
    const sha256 = createHash("sha256").update(content).digest("hex");
    const of = (name: string) => response.headers.get(name);
    assert.equal(response.status, 200);
    assert.equal(of("content-type"), "application/zip");
    assert.equal(of("content-length"), String(content.length));
    assert.equal(of("etag"), `"${sha256}"`);
    assert.equal(of("content-disposition"), 'attachment; filename="bot-v1.zip"');
    assert.equal(of("accept-ranges"), "bytes");
    assert.match(of("x-request-id") ?? "", /^[0-9A-Z]{26}$/);
    const head = await fetchArchive({}, "HEAD");
    assert.deepEqual(
      [head.status, head.headers.get("content-length"), head.headers.get("etag")],
      [200, String(content.length), `"${sha256}"`],
    );
  });

  test("continues where a download stopped, and begins anew when it is another", async () => {
    const whole = await readFile(stored.file);
    const etag = (await fetchArchive({}, "HEAD")).headers.get("etag") ?? "";
    const rest = await fetchArchive({ range: "bytes=10-", "if-range": etag });
    assert.equal(rest.status, 206);
    assert.equal(rest.headers.get("content-range"), `bytes 10-${whole.length - 1}/${whole.length}`);
    assert.deepEqual(await bytesOf(rest), whole.subarray(10));
    assert.deepEqual(await bytesOf(await fetchArchive({ range: "bytes=-4" })), whole.subarray(-4));
    const other = await fetchArchive({ range: "bytes=10-", "if-range": '"other"' });
    assert.deepEqual([other.status, (await bytesOf(other)).length], [200, whole.length]);
    for (const odd of ["bytes=2-1", "bytes=0-1,3-4", "lines=1-2", "bytes=x"])
      assert.equal((await bytesOf(await fetchArchive({ range: odd }))).length, whole.length, odd);
    const known = await stored.download({ "if-none-match": `W/${etag}` });
    assert.deepEqual([known.status, known.text, known.headers.get("etag")], [304, "", etag]);
    const outside = await stored.download({ range: `bytes=${whole.length}-` });
    assert.deepEqual(
      [outside.status, outside.code, outside.headers.get("content-range")],
      [416, "range_not_satisfiable", `bytes */${whole.length}`],
    );
    assert.equal((outside.json as { sizeBytes?: number }).sizeBytes, whole.length);
  });

  test("is not found for a version that is not there, and is refused for a number that is none", async () => {
    for (const [number, status, code] of [
      ["2", 404, "not_found"],
      ["999999999", 404, "not_found"],
      ["0", 400, "invalid_request"],
      ["-1", 400, "invalid_request"],
      ["1.5", 400, "invalid_request"],
      ["1e0", 400, "invalid_request"],
      ["9999999999", 400, "invalid_request"],
      ["..%2f1", 400, "invalid_request"],
    ] as const) {
      const path = `/api/projects/${stored.project.id}/versions/${number}/archive`;
      const answer = await apiRequest(stored.cluster.centralUrl, {
        method: "GET",
        path,
        token: stored.account.key,
      });
      assert.deepEqual([number, answer.status, answer.code], [number, status, code]);
    }
    const stranger = await stored.cluster.createAccount({ plan: "Empresas" });
    await assert.rejects(stranger.client.downloadVersion({ id: stored.project.id, number: 1 }), {
      code: "not_found",
    });
  });

  test("of more than four at once waits", async () => {
    const { downloadSlots } = stored.cluster.central.app;
    const open = Array.from({ length: 4 }, () => downloadSlots.take(stored.account.id));
    const refused = await stored.download();
    assert.deepEqual([refused.status, refused.code], [429, "too_many_requests"]);
    for (const slot of open) slot[Symbol.dispose]();
    for (let count = 0; count < 6; count++) assert.equal((await stored.download()).status, 200);
  });

  test("is written by `tijolo versions download`, and no other file is lost by it", async () => {
    await using line = await CommandLine.create();
    line.environment = { TIJOLO_URL: stored.cluster.centralUrl, TIJOLO_KEY: stored.account.key };
    const download = (...words: string[]) =>
      line.run(["versions", "download", stored.project.id, "1", ...words]);
    const file = join(line.folder, "a.zip");
    await writeFile(file, "mine");
    const refused = await download("-o", "a.zip");
    assert.deepEqual([refused.code, await readFile(file, "utf8")], [1, "mine"]);
    const { code, stdout, stderr } = await download("-o", "a.zip", "--force", "--json");
    assert.equal(code, 0, stderr);
    assert.deepEqual(await readFile(file), await readFile(stored.file));
    assert.equal((JSON.parse(stdout) as { file: string }).file, file);
    assert.equal((await line.run(["versions", "download", stored.project.id])).code, 2);
    assert.match((await line.run(["versions", "download", stored.project.id, "7"])).stderr, /versão 7/);
  });

  test("that the store has lost is an error that says so, and leaves nothing at the command", async () => {
    const content = await readFile(stored.file);
    await rm(stored.file);
    const gone = await stored.download();
    assert.deepEqual([gone.status, gone.code], [410, "archive_gone"]);
    await assert.rejects(stored.account.client.rollbackProject({ id: stored.project.id, number: 1 }), {
      code: "archive_gone",
    });
    assert.equal((await stored.account.client.listVersions({ id: stored.project.id })).versions.length, 1);
    await using line = await CommandLine.create();
    line.environment = { TIJOLO_URL: stored.cluster.centralUrl, TIJOLO_KEY: stored.account.key };
    assert.equal((await line.run(["versions", "download", stored.project.id, "1", "-o", "b.zip"])).code, 1);
    await assert.rejects(readFile(join(line.folder, "b.zip")), { code: "ENOENT" });
    // The stored file has other content: what arrives is checked.
    await writeFile(stored.file, Buffer.alloc(content.length));
    const damaged = await line.run(["versions", "download", stored.project.id, "1", "-o", "b.zip"]);
    assert.equal(damaged.code, 1);
    await assert.rejects(readFile(join(line.folder, "b.zip")), { code: "ENOENT" });
    await writeFile(stored.file, content);
  });
});
