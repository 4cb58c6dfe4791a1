import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { findImpliedLooks, type UnpackedLayer } from "./implied-directories.ts";

const { signal } = new AbortController();

/** Makes a layer with the given directories; its archive has entries for all of them but the implied ones. */
function makeLayer(
  context: TestContext,
  directories: Record<string, number>,
  implied: readonly string[],
): UnpackedLayer {
  const root = mkdtempSync(join(tmpdir(), "tijolo-implied-"));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, mode] of Object.entries(directories)) {
    mkdirSync(join(root, path));
    chmodSync(join(root, path), mode);
  }
  return { root, impliedDirectories: new Set(implied), opaqueDirectories: new Set() };
}

function twoLayers(context: TestContext): UnpackedLayer[] {
  const implied = { a: 0o755, "a/b": 0o755, "a/b/d": 0o755, "a/c": 0o755, z: 0o755 };
  const above = makeLayer(context, implied, Object.keys(implied));
  const below = makeLayer(
    context,
    { a: 0o755, "a/b": 0o700, "a/b/d": 0o711, "a/c": 0o1777, z: 0o755, "a/b/e": 0o700 },
    [],
  );
  return [above, below];
}

test("directories that a layer only implies look as below, with those they lie in, each once and parents first", async (context) => {
  const looks = await findImpliedLooks(twoLayers(context), signal);
  assert.deepEqual(
    looks.map(({ path, mode }) => [path, mode]),
    [
      ["a", 0o755],
      ["a/b", 0o700],
      ["a/b/d", 0o711],
      ["a/c", 0o1777],
    ],
  );
});

test("the search ends with its signal", async (context) => {
  const layers = twoLayers(context);
  await assert.rejects(findImpliedLooks(layers, AbortSignal.abort(new Error("enough"))), /enough/);
  const controller = new AbortController();
  const searching = findImpliedLooks(layers, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(searching, /enough/);
});
