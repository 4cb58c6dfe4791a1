/** Sets up a cluster with a person whose notices go to a webhook. */

import type { NewNoticeChannels, NoticeChannels } from "@tijolo/protocol";
import { makeNotice } from "./make-notice.ts";
import { PanelSession } from "../people/panel.ts";
import { Receiver } from "./receiver.ts";
import { TestCluster, type TestClusterOptions } from "../cluster/test-cluster.ts";
import { until } from "../until.ts";

type Webhook = NonNullable<NoticeChannels["webhook"]>;

/** Creates the cluster, the person, and the receiver that the webhook goes to. */
export async function noticedPerson(options: TestClusterOptions = {}) {
  const receiver = await Receiver.open();
  const cluster = await TestCluster.create({
    hosts: 0,
    ...options,
    centralSettings: { TIJOLO_WEBHOOKS_TO_PRIVATE_ADDRESSES: "yes", ...options.centralSettings },
  });
  const ana = await PanelSession.signUp(cluster);
  const channels: NewNoticeChannels = {
    email: { kinds: [] },
    discord: null,
    webhook: { url: receiver.url(), kinds: ["announcement"] },
  };
  const { signingKey } = await ana.client.setNoticeChannels({ body: channels });
  return {
    receiver,
    cluster,
    ana,
    signingKey: signingKey ?? "",
    webhook: async () => (await ana.client.getNoticeChannels()).channels.webhook,
    note: () => makeNotice(cluster, ana.accountId),
    waiting: async () =>
      (await cluster.central.app.db.selectFrom("notice_delivery").selectAll().execute()).length,
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** Returns the webhook's state once `isReached`. */
export function webhookWhen(
  { webhook }: { webhook: () => Promise<NoticeChannels["webhook"]> },
  isReached: (state: Webhook) => boolean,
): Promise<Webhook> {
  return until(
    async () => {
      const state = await webhook();
      return state !== null && isReached(state) ? state : undefined;
    },
    { timeoutMs: 30_000 },
  );
}
