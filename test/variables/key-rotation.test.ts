/** The master key is exchanged under a central that is killed again and again. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { parseMasterKeys } from "../../central/src/app/secrets/master-keys.ts";
import { variablesContext } from "../../central/src/app/secrets/variables-context.ts";
import { Vault } from "../../central/src/app/secrets/vault.ts";
import { Program } from "../real/support/cluster/program.ts";
import { certificatesAtStart } from "../support/cluster/certificates-at-start.ts";
import { freePort } from "../support/machine/free-port.ts";
import { Operator } from "../support/cluster/operator.ts";
import { until } from "../support/until.ts";

const documents = 3_000;
const documentOf = (index: number) => JSON.stringify({ NUMBER: String(index) });
const projectIdOf = (index: number) => String(index).padStart(26, "0");

test(
  "kill -9 in the middle of a rotation loses no document and no key, and the next one goes on",
  { timeout: 600_000 },
  async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-rotation-"));
    t.after(() => rm(directory, { recursive: true, force: true }));
    const data = join(directory, "central");
    const listen = `127.0.0.1:${await freePort()}`;
    const central = new Program({
      name: "central",
      logFile: join(directory, "central.log"),
      settings: {
        TIJOLO_DATA_DIRECTORY: data,
        TIJOLO_LISTEN: listen,
        TIJOLO_GATEWAY_LISTEN: `127.0.0.1:${await freePort()}`,
      },
    });
    t.after(() => central.kill());
    await central.start();
    await central.stop();
    await writeDocuments(data);

    const firstKey = (await readKeys(data))[0]?.id;
    let cutInTheMiddle = 0;
    for (let round = 1; round <= 20 && cutInTheMiddle < 3; round++) {
      await central.start();
      const operator = await operatorOf(listen, data);
      let isOver = false;
      const rotation = operator
        .client()
        .rotateMasterKey()
        .then(
          () => (isOver = true),
          () => {},
        );
      await until(async () => isOver || (await keysInUse(operator)) > 1, { everyMs: 1 });
      await central.kill();
      await rotation;
      if ((await checkDocuments(data)).length > 1) cutInTheMiddle++;
    }
    assert.equal(cutInTheMiddle, 3, "it was killed between two transactions");

    await central.start();
    const operator = await operatorOf(listen, data);
    const rotated = await operator.client().rotateMasterKey();
    assert.notEqual(rotated.currentKeyId, firstKey);
    const status = await operator.client().getMasterKeys();
    assert.deepEqual(status, {
      source: "own",
      currentKeyId: rotated.currentKeyId,
      keys: [{ id: rotated.currentKeyId, isKnown: true, documents: documents + certificatesAtStart }],
    });
    await central.stop();
    assert.deepEqual(await checkDocuments(data), [rotated.currentKeyId]);
    const secrets = (await readKeys(data)).map(({ key }) => key.export().toString("base64"));
    const log = await central.log();
    assert.ok(
      log.includes(rotated.currentKeyId ?? "-") && secrets.every((secret) => !log.includes(secret)),
      "the log names keys and shows none",
    );
  },
);

async function operatorOf(listen: string, data: string): Promise<Operator> {
  return new Operator(
    `http://${listen}`,
    (await readFile(join(data, "first-operator-token"), "utf8")).trim(),
  );
}

async function keysInUse(operator: Operator): Promise<number> {
  const { keys } = await operator.client().getMasterKeys();
  return keys.filter((key) => key.documents > 0).length;
}

async function writeDocuments(data: string): Promise<void> {
  const vault = new Vault(await readKeys(data), randomBytes);
  using file = new DatabaseSync(join(data, "central.sqlite"));
  file.exec("begin; insert into account (id, name, plan, created_at) values ('a', 'a', 'Stack', 0)");
  const insertProject = file.prepare(
    `insert into project (id, account_id, name, description, type, settings, memory_mb, run, restart_count, version_number,
       created_at, updated_at) values (?, 'a', 'p', '', 'bot', '{}', 1, 'off', 0, 1, 0, 0)`,
  );
  const insertVariables = file.prepare(
    "insert into project_variables (project_id, revision, key_id, ciphertext) values (?, '1', ?, ?)",
  );
  for (let index = 0; index < documents; index++) {
    const projectId = projectIdOf(index);
    const { keyId, ciphertext } = vault.seal(variablesContext(projectId), documentOf(index));
    insertProject.run(projectId);
    insertVariables.run(projectId, keyId, ciphertext);
  }
  file.exec("commit");
}

/** Every document opens with the keys of the file. Answers the ids of the keys that sealed them. */
async function checkDocuments(data: string): Promise<string[]> {
  const vault = new Vault(await readKeys(data), randomBytes);
  using file = new DatabaseSync(join(data, "central.sqlite"));
  const rows = file
    .prepare("select project_id, key_id, ciphertext from project_variables order by project_id")
    .all();
  assert.equal(rows.length, documents);
  const keyIds = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const [projectId, keyId, ciphertext] = [row["project_id"], row["key_id"], row["ciphertext"]].map(String);
    assert.ok(projectId !== undefined && keyId !== undefined && ciphertext !== undefined);
    assert.equal(vault.open(variablesContext(projectId), { keyId, ciphertext }), documentOf(index));
    keyIds.add(keyId);
  }
  return [...keyIds];
}

async function readKeys(data: string) {
  return parseMasterKeys(await readFile(join(data, "master-keys"), "utf8"), "master-keys");
}
