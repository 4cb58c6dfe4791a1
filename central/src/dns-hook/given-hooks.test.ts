/** Tests the DNS hooks that come with Tijolo, as central runs them, with stand-ins for the programs that they use. */

import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { dnsHook } from "./run-dns-hook.ts";

const hooks = join(import.meta.dirname, "../../dns-hooks");
async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tijolo-hook-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

const record = { fqdn: "_acme-challenge.sites.example.org.", value: "a-proof" };

test("nsupdate adds and deletes the record by a signed update", async (t) => {
  const folder = await folderOf(t);
  const [program, said] = [join(folder, "nsupdate"), join(folder, "said")];
  await writeFile(program, `#!/bin/sh\necho "$@" >> ${said}; cat >> ${said}\n`);
  await chmod(program, 0o700);
  const settings = `SERVER=ns1.example.org\nKEY_FILE=/etc/key\nNSUPDATE=${program}\n`;
  await writeFile(join(folder, "conf"), settings);
  const environment = { PATH: process.env.PATH, NSUPDATE_CONF: join(folder, "conf") };
  const run = dnsHook({ path: join(hooks, "nsupdate"), environment });
  await run("present", record);
  await run("cleanup", record);
  assert.deepEqual((await readFile(said, "utf8")).split("\n"), [
    "-k /etc/key",
    "server ns1.example.org 53",
    `update add ${record.fqdn} 60 TXT "a-proof"`,
    "send",
    "-k /etc/key",
    "server ns1.example.org 53",
    `update delete ${record.fqdn} TXT "a-proof"`,
    "send",
    "",
  ]);
});

/** Stands in for acme.sh: it has the real one's last line, and the names of its functions. */
const acmeSh = `_initpath() { ACCOUNT_CONF_PATH="$LE_WORKING_DIR/account.conf"; }
_saveaccountconf() { echo "$1='$2'" >> "$ACCOUNT_CONF_PATH"; }
main() { [ -z "$1" ] && echo help && return; "$@"; }
main "$@"
`;
const provider = (said: string) => `change() {
  _saveaccountconf Token "$Token"
  echo "$1 $2 $3 $Token $undefined" >> ${said}
  [ "$Token" = good ] || { echo "the provider refuses" >&2; return 1; }
}
dns_here_add() { change add "$@"; }
dns_here_rm() { change rm "$@"; }
`;

test("acme-sh has a provider's file add and remove the record, leaves nothing, and fails as it does", async (t) => {
  const folder = await folderOf(t);
  const said = join(folder, "said");
  const scratch = join(folder, "scratch");
  await mkdir(scratch);
  await mkdir(join(folder, "dnsapi"));
  await writeFile(join(folder, "acme.sh"), acmeSh);
  await writeFile(join(folder, "dnsapi/dns_here.sh"), provider(said));
  const conf = join(folder, "conf");
  const environment = { PATH: process.env.PATH, ACME_SH_CONF: conf, TMPDIR: scratch };
  const run = dnsHook({ path: join(hooks, "acme-sh"), environment });
  const settings = `ACME_SH=${folder}\nAPI=dns_here\n`;
  await writeFile(conf, `${settings}Token=good\n`);
  await run("present", record);
  await run("cleanup", record);
  const name = "_acme-challenge.sites.example.org";
  assert.equal(await readFile(said, "utf8"), `add ${name} a-proof good \nrm ${name} a-proof good \n`);
  assert.deepEqual(await readdir(scratch), []);
  await writeFile(conf, `${settings}Token=bad\n`);
  await assert.rejects(run("present", record), /ended with 1: the provider refuses/);
});
