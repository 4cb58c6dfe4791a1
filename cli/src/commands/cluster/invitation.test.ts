import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { loadMessages } from "../../messages.ts";
import { Output } from "../../show/output.ts";
import { showInvitation } from "./invitation.ts";

for (const [centralUrl, said] of [
  ["http://127.0.0.1:8080", /from its own machine alone/],
  ["http://central.example:8080", /is plain HTTP: whoever is on the way/],
  ["https://central.example", /run\.mjs gateway\n\n$/],
] as const) {
  test(`who joins by hand is told what the way to ${centralUrl} is`, async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const shown = {
      messages: await loadMessages("en"),
      output: new Output({ stdout, stderr }, { isJson: false }),
    };
    const token = "tjg_token";
    showInvitation(shown, { kind: "gateway", token, expiresAt: "14:31", centralUrl, install: null });
    stdout.end();
    const printed = await text(stdout);
    assert.match(printed, said);
    assert.ok(printed.includes(`TIJOLO_CENTRAL_URL=${centralUrl} TIJOLO_JOIN_TOKEN_FILE=/root/`));
  });
}
