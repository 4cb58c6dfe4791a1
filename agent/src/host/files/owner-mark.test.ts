/** A file's owner counts as gone from the moment it can write no more. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { isOwnerAlive, ownerMark } from "./owner-mark.ts";

/** Starts a child, tells its pid, ends it when told to, and never collects it. */
const negligentParent = `$| = 1; my $pid = fork; if ($pid == 0) { exec "sleep", "1000" } print "$pid\\n";
  <STDIN>; kill "KILL", $pid; select undef, undef, undef, 0.01 while ($state = readpipe "cat /proc/$pid/stat") !~ /\\) Z/;
  print "ended\\n"; <STDIN>;`;

test("the owner of a file is gone once it has been killed, also while its parent does not collect it", async () => {
  const parent = spawn("perl", ["-e", negligentParent], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const lines = createInterface(parent.stdout)[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    const mark = ownerMark(pid);
    assert.ok(isOwnerAlive(mark));
    parent.stdin.write("\n");
    assert.equal((await lines.next()).value, "ended");
    assert.match(readFileSync(`/proc/${pid}/stat`, "utf8"), /\) Z/);
    assert.ok(!isOwnerAlive(mark));
  } finally {
    parent.kill("SIGKILL");
    await once(parent, "close");
  }
});

test("a later process with the same pid is not the owner", () => {
  assert.ok(isOwnerAlive(ownerMark(process.pid)));
  assert.ok(!isOwnerAlive(`${process.pid}-1`));
});
