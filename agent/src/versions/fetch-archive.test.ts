import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Agent } from "undici";
import { ArchiveFetchError, fetchArchive, type FetchArchiveOptions } from "./fetch-archive.ts";

const archive = Buffer.from(Array.from({ length: 5_000_000 }, (_, index) => (index * index) % 251));
const sha256 = createHash("sha256").update(archive).digest("hex");

/** Starts a server on loopback, and makes a directory and a fetch of `archive` from one into the other. */
async function setUp(context: TestContext, answer: RequestListener) {
  const directory = await mkdtemp(join(tmpdir(), "fetch-archive-"));
  const requests: IncomingMessage["headers"][] = [];
  const server = createServer((incoming, response) => {
    requests.push(incoming.headers);
    answer(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const dispatcher = new Agent();
  context.after(async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });
  const target = join(directory, "version.zip");
  const source = {
    url: `http://127.0.0.1:${address.port}/archives/${sha256}?token=secret`,
    headers: { authorization: "Bearer t" },
    sha256,
    sizeBytes: archive.length,
    target,
  };
  const options: FetchArchiveOptions = {
    signal: new AbortController().signal,
    random: Math.random,
    firstPauseMs: 2,
    inactivityMs: 2_000,
    dispatcher,
  };
  return {
    requests,
    directory,
    target,
    fetch: (other: Partial<FetchArchiveOptions> = {}, otherSource: Partial<typeof source> = {}) =>
      fetchArchive({ ...source, ...otherSource }, { ...options, ...other }),
  };
}

/** Serves ranges of `body`; cuts the connection after `cutAfter` bytes of an answer. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { body = archive, etag = '"v1"', cutAfter = Infinity } = {},
): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const isRange = start > 0 && (request.headers["if-range"] ?? etag) === etag;
  const bytes = isRange ? body.subarray(start) : body;
  response.writeHead(isRange ? 206 : 200, {
    etag,
    "content-length": bytes.length,
    ...(isRange ? { "content-range": `bytes ${start}-${body.length - 1}/${body.length}` } : {}),
  });
  if (bytes.length <= cutAfter) response.end(bytes);
  else response.write(bytes.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 5));
}

const isFetchError = (kind: ArchiveFetchError["kind"]) => (error: unknown) => {
  assert.ok(error instanceof ArchiveFetchError, String(error));
  assert.equal(error.kind, kind);
  assert.doesNotMatch(error.message, /secret/);
  return true;
};

test("an archive arrives whole, under its name only, with the headers that were given", async (context) => {
  const { fetch, requests, directory, target } = await setUp(context, (request, response) =>
    serve(request, response),
  );
  await fetch();
  assert.ok(archive.equals(await readFile(target)));
  assert.deepEqual(await readdir(directory), ["version.zip"]);
  assert.equal(requests.length, 1);
  assert.equal(requests[0]?.authorization, "Bearer t");
});

test("a connection that is cut again and again is resumed where it stopped", async (context) => {
  const { fetch, requests, target } = await setUp(context, (request, response) =>
    serve(request, response, { cutAfter: 1_200_000 }),
  );
  await fetch({ maxAttempts: 2 });
  assert.ok(archive.equals(await readFile(target)));
  assert.ok(requests.length >= 5, `${requests.length} requests`);
  for (const headers of requests.slice(1)) {
    assert.match(headers.range ?? "", /^bytes=[1-9]\d*-$/);
    assert.equal(headers["if-range"], '"v1"');
  }
});

test("an archive that changed between two requests is fetched from the start", async (context) => {
  let count = 0;
  const { fetch, requests, target } = await setUp(context, (request, response) => {
    count += 1;
    if (count === 1)
      serve(request, response, { body: Buffer.alloc(archive.length, 1), etag: '"old"', cutAfter: 2_000_000 });
    else serve(request, response);
  });
  await fetch();
  assert.equal(requests[1]?.["if-range"], '"old"');
  assert.ok(archive.equals(await readFile(target)));
});

test("a server that ignores ranges is asked again until one answer is whole", async (context) => {
  let count = 0;
  const { fetch, target } = await setUp(context, (_, response) => {
    count += 1;
    response.writeHead(200);
    if (count < 4)
      response.write(archive.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 5));
    else response.end(archive);
  });
  await fetch();
  assert.equal(count, 4);
  assert.ok(archive.equals(await readFile(target)));
});

/** A server, and which of the answers to given headers are lies. */
const lies: [string, RequestListener, (headers: IncomingMessage["headers"]) => boolean][] = [
  ["other bytes of the same length", (_, response) => response.end(Buffer.alloc(archive.length)), () => true],
  [
    "more bytes than the archive has",
    (_, response) => response.end(Buffer.concat([archive, Buffer.from("x")])),
    () => true,
  ],
  [
    "another range than asked for",
    (request, response) => {
      if (request.headers.range === undefined) return serve(request, response, { cutAfter: 1000 });
      response
        .writeHead(206, { "content-range": `bytes 0-${archive.length - 1}/${archive.length}` })
        .end(archive);
    },
    // A cut can take along what was not read yet; then the next request is without a range, and is cut again.
    ({ range }) => range !== undefined,
  ],
];
for (const [name, answer, isLie] of lies) {
  test(`a server that sends ${name} is believed to have no other after three times, and nothing is left`, async (context) => {
    const { fetch, directory, requests } = await setUp(context, answer);
    await assert.rejects(fetch({ maxAttempts: 1000 }), isFetchError("mismatch"));
    assert.equal(requests.filter(isLie).length, 3);
    assert.deepEqual(await readdir(directory), []);
  });
}

test("an endless answer is cut at the archive's size", async (context) => {
  let sentBytes = 0;
  const { fetch } = await setUp(context, (_, response) => {
    const pour = () => {
      do sentBytes += 1 << 20;
      while (!response.destroyed && response.write(Buffer.alloc(1 << 20)));
    };
    response.on("drain", pour);
    pour();
  });
  await assert.rejects(fetch(), isFetchError("mismatch"));
  assert.ok(sentBytes < 10 * archive.length, `${sentBytes} bytes`);
});

test("a refusal is not repeated, a redirect is not followed", async (context) => {
  for (const status of [401, 403, 404, 302]) {
    const { fetch, requests, directory } = await setUp(context, (_, response) =>
      response.writeHead(status, { location: "/elsewhere" }).end("no"),
    );
    await assert.rejects(fetch(), isFetchError("refused"));
    assert.equal(requests.length, 1);
    assert.deepEqual(await readdir(directory), []);
  }
});

test("an archive that the server does not have any more is not asked for again", async (context) => {
  const { fetch, requests } = await setUp(context, (_, response) => response.writeHead(410).end());
  await assert.rejects(fetch(), isFetchError("gone"));
  assert.equal(requests.length, 1);
});

test("a server in trouble is asked a bounded number of times, with growing pauses", async (context) => {
  const { fetch, requests } = await setUp(context, (_, response) => response.writeHead(503).end());
  const startedAt = performance.now();
  await assert.rejects(
    fetch({ maxAttempts: 5, firstPauseMs: 10, random: () => 0.99 }),
    isFetchError("unreachable"),
  );
  assert.equal(requests.length, 5);
  assert.ok(performance.now() - startedAt >= 0.99 * (10 + 20 + 40 + 80) - 5);
});

test("a server that is gone is unreachable", async (context) => {
  const { fetch } = await setUp(context, (_, response) => response.end());
  await assert.rejects(
    fetch({ maxAttempts: 3 }, { url: "http://127.0.0.1:1/" }),
    isFetchError("unreachable"),
  );
});

test("a connection on which nothing comes is given up", async (context) => {
  let count = 0;
  const { fetch, target } = await setUp(context, (request, response) => {
    count += 1;
    if (count === 1) return; // no answer at all
    if (count === 2)
      return void response.writeHead(200, { etag: '"v1"' }).write(archive.subarray(0, 2_000_000));
    serve(request, response);
  });
  await fetch({ inactivityMs: 2_000 });
  assert.equal(count, 3);
  assert.ok(archive.equals(await readFile(target)));
});

test("an abort ends it at once with its reason, in an answer and in a pause, and nothing is left", async (context) => {
  const answers: RequestListener[] = [
    (_, response) => void response.writeHead(200).write("x"),
    (_, response) => response.writeHead(503).end(),
  ];
  for (const answer of answers) {
    const { fetch, directory } = await setUp(context, answer);
    const controller = new AbortController();
    const fetching = fetch({
      signal: controller.signal,
      firstPauseMs: 60_000,
      random: () => 0.99,
      inactivityMs: 60_000,
    });
    setTimeout(() => controller.abort(new Error("enough")), 100);
    const startedAt = performance.now();
    await assert.rejects(fetching, { message: "enough" });
    assert.ok(performance.now() - startedAt < 5_000);
    assert.deepEqual(await readdir(directory), []);
  }
});
