import assert from "node:assert/strict";
import { test } from "node:test";
import type { AppError } from "@tijolo/protocol";
import { PasswordHashing } from "./password-hashing.ts";

test("whom a full queue of passwords refuses is not told that anything was wrong", async () => {
  const passwords = new PasswordHashing();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const asked: Promise<unknown>[] = [];
  const refused = await new Promise<AppError>((resolve) => {
    for (let count = 0; count < 1_000; count++) {
      const hashing = passwords.hash("x", async () => {
        await gate;
        throw new Error("spared");
      });
      asked.push(hashing.catch(resolve));
    }
  });
  open();
  await Promise.all(asked);
  assert.deepEqual([refused.status, refused.code], [429, "rate_limit_exceeded"]);
  assert.ok((refused.retryAfterSeconds ?? 0) > 0);
  for (const language of ["pt", "en"] as const) {
    const { message } = refused.toBody(language);
    assert.match(String(message), /Retry-After/);
    assert.doesNotMatch(String(message), /errad|wrong|plan|repeti|repeated/);
  }
  assert.ok(await passwords.verify(await passwords.hash("right"), "right"), "the next one has its turn");
});

test("a password is checked at once, however many new ones wait to be hashed", async () => {
  const passwords = new PasswordHashing();
  const stored = await passwords.hash("right");
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 300 }, () =>
    passwords
      .hash("x", async () => {
        await gate;
        throw new Error("spared");
      })
      .catch((error: unknown) => error),
  );
  assert.equal(await passwords.verify(stored, "right"), true, "while every new one still waits");
  assert.equal(await passwords.verify(null, "right"), false);
  open();
  const errors = (await Promise.all(waiting)) as (Error & { code?: string })[];
  assert.ok(
    errors.some(({ code }) => code === "rate_limit_exceeded"),
    "there were more new ones than the queue takes",
  );
});
