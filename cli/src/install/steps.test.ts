import assert from "node:assert/strict";
import { mkdtemp, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, before, beforeEach, describe, test } from "node:test";
import { loadMessages, type Messages } from "../messages.ts";
import { Output } from "../show/output.ts";
import { linkTo, writeAll, writeWhole } from "./file-steps.ts";
import { inParts, runSteps, StepError } from "./steps.ts";

let messages: Messages;
before(async () => {
  messages = await loadMessages("en");
});

describe("an installation", () => {
  let directory = "";
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), "tijolo-steps-"))));
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const context = () => {
    const stderr = new PassThrough();
    return { messages, stderr, output: new Output({ stdout: new PassThrough(), stderr }, { isJson: false }) };
  };

  test("names the step that failed, and leaves what was there before", async () => {
    const [kept, made, link] = ["kept", "made", "link"].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(kept, "before", { mode: 0o640 });
    await linkTo(link, "/before");
    let hasStartedAgain = false;
    const steps = [
      {
        name: "settings" as const,
        run: () =>
          writeAll([
            { path: kept, text: "after" },
            { path: made, text: "x" },
          ]),
      },
      { name: "link" as const, run: () => linkTo(link, "/after") },
      { name: "service" as const, run: () => Promise.reject(new Error("no such unit")) },
    ];
    const afterUndo = async () => {
      assert.equal(await readlink(link), "/before");
      hasStartedAgain = true;
    };
    await assert.rejects(runSteps({ steps, afterUndo }, context()), (error: unknown) => {
      assert.ok(error instanceof StepError);
      assert.match(error.message, /Failed at "service up": no such unit\nAll that was changed is undone/);
      return true;
    });
    assert.equal(await readFile(kept, "utf8"), "before");
    assert.equal((await stat(kept)).mode & 0o777, 0o640);
    await assert.rejects(stat(made), { code: "ENOENT" });
    assert.ok(hasStartedAgain);
  });

  test("changes nothing when it is run again", async () => {
    const file = { path: join(directory, "file"), text: "text", mode: 0o600 };
    const steps = [{ name: "settings" as const, run: () => writeWhole(file) }];
    assert.equal(await runSteps({ steps }, context()), 1);
    const before = await stat(file.path);
    assert.equal(await runSteps({ steps }, context()), 0);
    assert.equal((await stat(file.path)).ino, before.ino);
  });

  test("says what an installation before it leaves", async () => {
    const steps = [{ name: "service" as const, run: () => Promise.reject(new Error("no such unit")) }];
    const afterFailure = messages.install.centralStays;
    await assert.rejects(
      runSteps({ steps }, { ...context(), afterFailure }),
      /no such unit\nWhat was changed for the host is undone\. Central and the gateway are installed/,
    );
  });

  test("takes back the parts of a step that breaks off", async () => {
    const [kept, made] = ["kept", "made"].map((name) => join(directory, name)) as [string, string];
    await writeFile(kept, "before");
    const run = () =>
      inParts(async (note) => {
        note(await writeWhole({ path: kept, text: "after" }));
        note(await inParts(async (noteInner) => noteInner(await writeWhole({ path: made, text: "x" }))));
        note(
          await inParts(async (noteInner) => {
            noteInner(await writeWhole({ path: made, text: "y" }));
            throw new Error("no room");
          }),
        );
      });
    await assert.rejects(
      runSteps({ steps: [{ name: "packages", run }] }, context()),
      /Failed at "packages of the system": no room\nAll that was changed is undone/,
    );
    assert.equal(await readFile(kept, "utf8"), "before");
    await assert.rejects(stat(made), { code: "ENOENT" });
  });

  test("says what could not be undone", async () => {
    const steps = [
      { name: "units" as const, run: async () => () => Promise.reject(new Error("disk full")) },
      { name: "service" as const, run: () => Promise.reject(new Error("no such unit")) },
    ];
    await assert.rejects(
      runSteps({ steps }, context()),
      /could not be undone:\nunits of systemd: Error: disk full/,
    );
  });
});
