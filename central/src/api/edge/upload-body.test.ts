import assert from "node:assert/strict";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@tijolo/protocol";
import { multipart, multipartType, uploadBody } from "../../../../test/support/requests/multipart.ts";
import { RawHttp } from "../../../../test/support/requests/raw-http.ts";
import { readUpload } from "./upload-body.ts";

/** Long against what a busy machine makes of a pause that is a quarter of it. */
const idleMs = 1_000;
const totalMs = 60_000;
const body = uploadBody(Buffer.alloc(500_000));
const middle = body.length / 2;

/** Keeps nothing; takes the first byte of a file only after `stallMs`. */
function slowObjects(stallMs: number) {
  return {
    receive: async (source: Readable) => {
      await sleep(stallMs);
      return { path: "", sha256: "", sizeBytes: (await buffer(source)).length };
    },
    discard: async () => {},
  };
}

/** Returns what {@link readUpload} makes of the bytes sent: the file's size, or the refusal's code. */
async function upload(
  send: (http: RawHttp) => Promise<void>,
  { length = body.length, stallMs = 0, beginMs = 0 } = {},
): Promise<number | string> {
  const read = async (request: IncomingMessage) => {
    await sleep(beginMs);
    const options = { limitMb: 1, signal: new AbortController().signal, idleMs, totalMs, onFile: () => {} };
    return (await readUpload(request, slowObjects(stallMs), options)).upload.file.sizeBytes;
  };
  const result = Promise.withResolvers<number | string>();
  const server = createServer((request) => {
    read(request)
      .catch((error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error as Error)))
      .then(result.resolve, result.reject);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    using http = await RawHttp.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await http.send(
      `POST / HTTP/1.1\r\nhost: central\r\ncontent-type: ${multipartType["content-type"]}\r\ncontent-length: ${length}\r\n\r\n`,
    );
    await send(http);
    return await result.promise;
  } finally {
    server.close();
  }
}

test("what is in the field file is the archive, named and typed or not, and its bounds are the same", async () => {
  const send = (parts: Parameters<typeof multipart>[0]) => {
    const form = multipart(parts);
    return upload((http) => http.send(form), { length: form.length });
  };
  const ways = [
    { fileName: "a.zip" },
    { contentType: "application/zip" },
    { contentType: "application/octet-stream" },
    {},
  ];
  for (const way of ways) {
    const file = { name: "file", ...way, content: Buffer.alloc(300_000, 7) };
    const said = JSON.stringify(way);
    assert.equal(await send([file]), 300_000, said);
    assert.equal(await send([{ name: "start", content: "true" }, file]), 300_000, said);
    assert.equal(await send([file, { name: "start", content: "true" }]), 300_000, said);
    assert.equal(await send([file, file]), "invalid_request", said);
    assert.equal(await send([{ ...file, name: "archive" }]), "invalid_request", said);
    assert.equal(await send([file, { name: "start", content: "x".repeat(9_000) }]), "invalid_request", said);
  }
});

test("an upload that waits for a slow disk is not taken for a silent sender", async () => {
  assert.equal(await upload((http) => http.send(body), { stallMs: idleMs * 2 }), 500_000);
});

test("an upload that waits for a process that was held up is not taken for a silent sender", async () => {
  const received = await upload(async (http) => {
    await http.send(body.subarray(0, middle));
    await sleep(idleMs / 4);
    // Held up while events are handled: the timers come next, what arrived meanwhile only after them.
    await stat(".");
    const sending = http.send(body.subarray(middle, -100));
    const heldUntil = performance.now() + idleMs * 2;
    while (performance.now() < heldUntil);
    await sending;
    await sleep(idleMs / 4);
    await http.send(body.subarray(-100));
  });
  assert.equal(received, 500_000);
});

test("a sender that falls silent is refused, also after a slow disk", async () => {
  for (const stallMs of [0, idleMs * 2]) {
    assert.equal(await upload((http) => http.send(body.subarray(0, middle)), { stallMs }), "invalid_request");
  }
});

test("a sender that is gone before its body is read is refused at once, also when all of it had come", async () => {
  const small = uploadBody(Buffer.alloc(10));
  const beganMs = performance.now();
  const outcome = await upload(
    async (http) => {
      await http.send(small);
      http.socket.destroy();
    },
    { length: small.length, beginMs: idleMs },
  );
  assert.equal(outcome, "invalid_request");
  assert.ok(performance.now() - beganMs < totalMs / 2);
});
