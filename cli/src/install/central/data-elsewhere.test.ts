import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadMessages } from "../../messages.ts";
import { findData, checkDataElsewhere } from "./data-elsewhere.ts";

test("data in a person's own place are found, unless the services have data", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-data-"));
  t.after(() => rm(directory, { recursive: true }));
  const [own, home] = [join(directory, "own"), join(directory, "ana")];
  const find = () => findData([join(directory, "nobody"), home], own);
  assert.equal(find(), null);
  const give = async (place: string) => {
    await mkdir(join(place, "central"), { recursive: true });
    await writeFile(join(place, "central/central.sqlite"), "");
  };
  await give(join(home, ".local/share/tijolo"));
  assert.equal(find(), join(home, ".local/share/tijolo"));
  await give(own);
  assert.equal(find(), null);
});

test("another data directory is refused before anything is changed, with the way to bring its data", async () => {
  const context = { messages: await loadMessages("en"), output: { note: () => {} } };
  await assert.rejects(
    checkDataElsewhere({ TIJOLO_DATA_DIRECTORY: "/srv/tijolo/" }, context),
    /\/srv\/tijolo.*cp -a \/srv\/tijolo\/\. \/var\/lib\/tijolo\//,
  );
  await checkDataElsewhere({ TIJOLO_DATA_DIRECTORY: "/var/lib/tijolo/" }, context);
});
