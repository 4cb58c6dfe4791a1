import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { pino } from "pino";
import { defaultMailBounds, MailQueue } from "./mail.ts";

test(
  "a queue that ends while a message is made sends nothing more, and waits for no server",
  { timeout: 20_000 },
  async () => {
    let connections = 0;
    // It takes connections and never says a word.
    const server = createServer(() => connections++);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const settings = { smtpUrl: `smtp://127.0.0.1:${address.port}`, from: "tijolo@example.com" };
    const queue = new MailQueue(settings, {
      logger: pino({ level: "silent" }),
      bounds: { ...defaultMailBounds, sendMs: 60_000 },
    });
    const begun = Promise.withResolvers<void>();
    const made = Promise.withResolvers<null>();
    queue.post(async () => {
      begun.resolve();
      await made.promise;
      return { to: "ana@example.com", subject: "x", text: "x", html: "x" };
    });
    await begun.promise;
    const ended = queue[Symbol.asyncDispose]();
    made.resolve(null);
    await ended;
    assert.equal(connections, 0);
    server.close();
  },
);
