/** Returns the context that a channel's address is sealed with: it opens for no other channel or account. */
export function channelContext({ accountId, channel }: { accountId: string; channel: string }): string {
  return `notice-channel ${channel} ${accountId}`;
}
