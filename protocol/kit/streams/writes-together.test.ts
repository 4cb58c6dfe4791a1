import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { writesTogether } from "./writes-together.ts";

test("what is written within one turn leaves at once, and what comes later for itself", async () => {
  const left: string[][] = [];
  const stream = new Writable({
    writev: (chunks, done) => {
      left.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  const hold = writesTogether(stream);
  for (const text of ["a", "b", "c"]) {
    hold();
    stream.write(text);
  }
  assert.deepEqual([left, stream.writableLength], [[], 3]);
  await turn();
  hold();
  stream.write("d");
  await turn();
  assert.deepEqual(left, [["a", "b", "c"], ["d"]]);
});
