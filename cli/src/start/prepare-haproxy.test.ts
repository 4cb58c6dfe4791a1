import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { loadMessages } from "../messages.ts";
import { machineNewsText } from "./machine-news-text.ts";
import { prepareHaproxy, type HaproxyPreparation } from "./prepare-haproxy.ts";
import { parseStartConfig } from "./start-config.ts";

const root = join(import.meta.dirname, "../../..");

/** Prepares on a machine whose PATH has these programs alone, beside what starts one together with us. */
async function prepare(
  t: TestContext,
  programs: Record<string, string>,
  { what }: Pick<HaproxyPreparation, "what">,
) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-prepare-haproxy-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await symlink("/usr/bin/setpriv", join(directory, "setpriv"));
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(directory, name), 0o755);
  }
  const settings = { PATH: directory, TIJOLO_DATA_DIRECTORY: directory };
  const { gatewayEnvironment: environment } = parseStartConfig(settings);
  const messages = await loadMessages("pt");
  const told: string[] = [];
  const reason = await prepareHaproxy({
    root,
    environment,
    what,
    textOf: (news) => machineNewsText(messages, news),
    onProgress: (text) => told.push(text),
    signal: t.signal,
  });
  return { reason, told };
}

const missing = "O HAProxy 3.0 ou mais novo não está no PATH. O Debian 13 o tem: apt-get install haproxy.";
const isRoot = process.getuid?.() === 0;

test("a machine without HAProxy is told so in the reader's language", async (t) => {
  assert.deepEqual(await prepare(t, {}, { what: "present" }), { reason: missing, told: [] });
  assert.deepEqual(await prepare(t, {}, { what: "fetch" }), {
    reason: `${missing} Ou rode como root com o mmdebstrap instalado, que o traz.`,
    told: [],
  });
});

test("that one is fetched is told meanwhile", { skip: !isRoot && "root fetches it" }, async (t) => {
  const mmdebstrap = '[ "$1" = --version ] && exit 0; echo no mirror >&2; exit 1';
  const { reason, told } = await prepare(t, { mmdebstrap }, { what: "fetch" });
  assert.deepEqual(told, ["Trazendo o HAProxy do Debian"]);
  assert.match(reason ?? "", /no mirror/);
});

test("only one that was fetched is renewed", async (t) => {
  const mmdebstrap = "echo asked for >&2; exit 1";
  assert.deepEqual(await prepare(t, { mmdebstrap }, { what: "renew" }), { reason: null, told: [] });
});
