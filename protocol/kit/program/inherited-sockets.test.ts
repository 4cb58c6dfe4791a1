import assert from "node:assert/strict";
import { test } from "node:test";
import { inheritedSockets } from "./inherited-sockets.ts";

test("the sockets of systemd are found by their names, from descriptor 3 on", () => {
  const environment = { LISTEN_PID: "42", LISTEN_FDS: "2", LISTEN_FDNAMES: "api:sites" };
  assert.deepEqual(
    [...inheritedSockets(environment, 42)],
    [
      ["api", 3],
      ["sites", 4],
    ],
  );
});

test("sockets that are meant for another process are none", () => {
  assert.equal(inheritedSockets({ LISTEN_PID: "41", LISTEN_FDS: "1", LISTEN_FDNAMES: "api" }, 42).size, 0);
  assert.equal(inheritedSockets({}, 42).size, 0);
  assert.equal(inheritedSockets({ LISTEN_PID: "42", LISTEN_FDS: "x" }, 42).size, 0);
});
