import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { download } from "./download.ts";
import { PassingError } from "../retry.ts";
import { serveBytes } from "./serve-bytes.ts";

const bytes = randomBytes(3_000_000);
const sha256 = createHash("sha256").update(bytes).digest("hex");

/** Starts a server of `bytes` that cuts each connection after `cutAfter` bytes, and a download from it. */
async function setUp(context: TestContext, cutAfter: number) {
  const directory = await mkdtemp(join(tmpdir(), "serve-bytes-"));
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    async function* pieces(start: number, end: number) {
      yield bytes.subarray(start, Math.min(start + cutAfter, end + 1));
      if (start + cutAfter > end) return;
      await new Promise((resolve) => setTimeout(resolve, 20)); // what was sent arrives before the cut
      response.destroy();
    }
    serveBytes(request, response, {
      sizeBytes: bytes.length,
      etag: `"${sha256}"`,
      contentType: "application/octet-stream",
      idleMs: 10_000,
      open: ({ start, end }) => Readable.from(pieces(start, end)),
    }).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const { port } = address;
  context.after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });
  const request = (headers: Record<string, string>) =>
    new Promise<IncomingMessage & { statusCode: number; body: Readable }>((resolve, reject) => {
      get({ port, headers, agent: false }, (response) =>
        resolve(Object.assign(response, { statusCode: response.statusCode ?? 0, body: response })),
      ).on("error", (cause) => reject(new PassingError("no answer", { cause })));
    });
  const file = join(directory, "file");
  const run = async () => {
    await using handle = await open(file, constants.O_RDWR | constants.O_CREAT);
    const source = { sizeBytes: bytes.length, sha256, origin: "the server", request };
    const signal = AbortSignal.timeout(30_000);
    await download(source, handle, { signal, random: () => 0.01, maxAttempts: 3 });
  };
  return { file, ranges, run };
}

test("both ends together: a download that is cut again and again arrives, nothing sent twice", async (context) => {
  const { file, ranges, run } = await setUp(context, 1_200_000);
  await run();
  assert.ok(bytes.equals(await readFile(file)));
  assert.equal(ranges.length, 3);
  assert.equal(ranges[0], undefined);
  for (const range of ranges.slice(1)) assert.match(range ?? "", /^bytes=[1-9]\d*-$/);
});

test("a download goes on with what an earlier process left, and asks nothing when that is all", async (context) => {
  const { file, ranges, run } = await setUp(context, Infinity);
  await writeFile(file, bytes.subarray(0, 1_000_000));
  await run();
  assert.ok(bytes.equals(await readFile(file)));
  assert.deepEqual(ranges, ["bytes=1000000-"]);
  await run();
  assert.equal(ranges.length, 1);
});

test("what an earlier process left and is damaged, or is too much, is downloaded anew", async (context) => {
  const { file, ranges, run } = await setUp(context, Infinity);
  await writeFile(file, Buffer.alloc(1_000));
  await run();
  assert.ok(bytes.equals(await readFile(file)));
  await writeFile(file, Buffer.concat([bytes, Buffer.from("x")]));
  await run();
  assert.ok(bytes.equals(await readFile(file)));
  assert.deepEqual(ranges, ["bytes=1000-", undefined, undefined]);
});
