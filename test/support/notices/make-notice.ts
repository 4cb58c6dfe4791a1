/** Makes notices of an account without a cause, for tests of what becomes of them. */

import { randomBytes } from "node:crypto";
import type { NoticeContent } from "@tijolo/protocol";
import { noteNotice } from "../../../central/src/app/notices/note-notice.ts";
import { transact } from "../../../central/src/store/store.ts";
import type { TestCluster } from "../cluster/test-cluster.ts";

/** Makes a notice, as an operator's announcement unless `content` says otherwise; returns its id. */
export async function makeNotice(
  { central }: TestCluster,
  accountId: string,
  content: NoticeContent = { kind: "announcement", text: "Olá." },
): Promise<string> {
  const subject = randomBytes(8).toString("hex");
  return (
    await transact(central.app.db, (tx) => noteNotice(central.app, tx, { accountId, subject, content }))
  ).id;
}
