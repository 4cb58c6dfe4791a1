/**
 * Tests that a central which is killed with SIGKILL between the claim of a delivery and its answer loses
 * none.
 */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Program } from "../real/support/cluster/program.ts";
import { freePort } from "../support/machine/free-port.ts";
import { Operator } from "../support/cluster/operator.ts";
import { PanelSession } from "../support/people/panel.ts";
import { Receiver } from "../support/notices/receiver.ts";
import { until } from "../support/until.ts";

test("what a killed central had begun to send is sent again by the next one, with the same id", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-notices-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await using receiver = await Receiver.open();
  const data = join(directory, "central");
  const listen = `127.0.0.1:${await freePort()}`;
  const central = new Program({
    name: "central",
    logFile: join(directory, "central.log"),
    settings: {
      TIJOLO_DATA_DIRECTORY: data,
      TIJOLO_LISTEN: listen,
      TIJOLO_GATEWAY_LISTEN: `127.0.0.1:${await freePort()}`,
      TIJOLO_WEBHOOKS_TO_PRIVATE_ADDRESSES: "yes",
    },
  });
  t.after(() => central.kill());
  await central.start();
  const ana = await signUp(`http://${listen}`, data);
  const webhook = { url: receiver.url(), kinds: [] };
  await ana.client.setNoticeChannels({ body: { email: { kinds: [] }, discord: null, webhook } });
  receiver.answer = () => {};
  const { notice } = await ana.client.testNoticeChannels();
  await receiver.received(1);
  await central.kill();

  const [claimed, ...more] = deliveries(data);
  assert.deepEqual([claimed?.["notice_id"], claimed?.["tries"], more], [notice.id, 1, []]);
  assert.ok(Number(claimed?.["next_try_at"]) > Date.now(), "nobody else begins before the lease ends");
  endLeases(data);
  receiver.answer = (response) => response.writeHead(204).end();
  await central.start();
  const [first, again] = await receiver.received(2);
  assert.deepEqual([first?.json["id"], again?.json["id"]], [notice.id, notice.id]);
  assert.equal(again?.headers["tijolo-notice-id"], notice.id);
  await until(() => deliveries(data).length === 0);
  assert.equal(receiver.hooks.length, 2);
});

async function signUp(url: string, data: string): Promise<PanelSession> {
  const token = (await readFile(join(data, "first-operator-token"), "utf8")).trim();
  const { invitation } = await new Operator(url, token)
    .client()
    .createInvitation({ body: { plan: "Stack" } });
  const session = new PanelSession(url);
  const person = { name: "Ana", email: "ana@example.com", password: "uma senha bem comprida" };
  await session.client.signUp({ body: { ...person, invitation: invitation.token } });
  return session;
}

function deliveries(data: string): Record<string, unknown>[] {
  using file = new DatabaseSync(join(data, "central.sqlite"));
  return file.prepare("select notice_id, tries, next_try_at from notice_delivery").all();
}

/** Ends the leases, as the passing of time would. */
function endLeases(data: string): void {
  using file = new DatabaseSync(join(data, "central.sqlite"));
  file.exec("update notice_delivery set next_try_at = 0");
}
