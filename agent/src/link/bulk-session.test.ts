import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostAnswer } from "@tijolo/protocol";
import { projectIdOf } from "../../../test/support/ledger/ledger-samples.ts";
import { RecordingLogger } from "../../../test/support/recording-logger.ts";
import { until } from "../../../test/support/until.ts";
import { answerRequests } from "./bulk-session.ts";
import type { Connection } from "@tijolo/protocol/kit/link";
import { defaultLinkBounds, type LinkOptions } from "./link-options.ts";

/** Opens an agent's bulk session with a central that sends any messages. */
class OpenSession implements Disposable {
  readonly answers: HostAnswer[] = [];
  readonly logger = new RecordingLogger();
  readonly #over = new AbortController();
  ended: string | undefined;
  send: (request: unknown) => void = () => {};

  constructor(maxRequests = defaultLinkBounds.maxRequests) {
    const subscribe = (_input: undefined, { onData }: { onData: (request: unknown) => void }) => {
      this.send = onData;
      return { unsubscribe: () => {} };
    };
    const mutate = async (answer: HostAnswer) => {
      this.answers.push(answer);
      return { isCancelled: false };
    };
    const end = (reason: string) => (this.ended ??= reason);
    const connection: unknown = {
      client: { requests: { subscribe }, answer: { mutate } },
      ended: this.#over.signal,
      end,
      unsentBytes: () => 0,
    };
    const options: unknown = { logger: this.logger, handlers: { answers: { async *logs() {} } } };
    answerRequests(connection as Connection, options as LinkOptions, { ...defaultLinkBounds, maxRequests });
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }
}

const query = { lines: 10, section: "all", follow: false };
const page = { kind: "logs", projectId: projectIdOf(1), query };

test("a request that cannot be read is answered as failed, and those of others are answered", async () => {
  using session = new OpenSession();
  const unreadable = [
    { ...page, query: { ...query, cursor: "secret\n" } },
    { ...page, projectId: "nobody's" },
    { kind: "of a later protocol" },
    { kind: "logs", projectId: projectIdOf(1), query: null },
  ];
  for (const [index, request] of unreadable.entries()) session.send({ requestId: `odd ${index}`, request });
  for (const nothing of [null, 7, {}, { requestId: "\n", request: page }, { requestId: {}, request: page }])
    session.send(nothing);
  session.send({ requestId: "page", request: page });
  await until(() => session.answers.length === unreadable.length + 1 || session.ended !== undefined);
  assert.equal(session.ended, undefined);
  const ends = new Map(session.answers.map(({ requestId, end }) => [requestId, end]));
  assert.deepEqual(ends.get("page"), { kind: "done" });
  for (const index of unreadable.keys())
    assert.deepEqual(ends.get(`odd ${index}`), { kind: "failed", reason: "fault" });
  const reasons = session.logger.entries.map(({ fields }) => String(fields["err"]));
  assert.ok(reasons.some((reason) => /cannot be read: \w+ at request\.query\.cursor/.test(reason)));
  assert.ok(!reasons.some((reason) => reason.includes("secret")));
});

test("requests that cannot be read count among those that are answered at once", async () => {
  using session = new OpenSession(2);
  for (let number = 0; number < 3; number++) session.send({ requestId: String(number), request: null });
  assert.equal(session.ended, "central asks for too much at once");
});
