/** Seals and opens the addresses of channels, which hold tokens, with the keys that sign. */

import type { NoticeChannelName } from "@tijolo/protocol";
import { z } from "zod";
import type { NoticeChannelRow } from "../../store/tables/notices/notice-channel.ts";
import type { Sealed } from "../../store/tables/sealed.ts";
import { channelContext } from "../secrets/channel-context.ts";
import { VaultError } from "../secrets/vault.ts";
import type { NoticesContext } from "./notices-context.ts";

const document = z.object({
  url: z.string(),
  /** Key that signs what goes to a webhook; null for Discord. */
  signingKey: z.string().nullable(),
});
export type ChannelAddress = z.infer<typeof document>;

type VaultContext = Pick<NoticesContext, "vault">;

export function sealAddress(
  { vault }: VaultContext,
  owner: { accountId: string; channel: NoticeChannelName },
  address: ChannelAddress,
): Sealed {
  return vault.seal(channelContext(owner), JSON.stringify(address));
}

/** Opens an address; null when its master key is gone, or it is damaged, or there is none. */
export function openAddress(
  { vault }: VaultContext,
  { accountId, channel, sealed }: Pick<NoticeChannelRow, "accountId" | "channel" | "sealed">,
): ChannelAddress | null {
  if (sealed === null) return null;
  try {
    return document.parse(JSON.parse(vault.open(channelContext({ accountId, channel }), sealed)));
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}
