/** What central and agent share beside the contract and what needs Node: reading archives, looking after connections, taking turns, work by the clock. */

export * from "./archive-file.ts";
export * from "./join-streams.ts";
export * from "./keyed-queue.ts";
export * from "./latch.ts";
export * from "./reconciler.ts";
export * from "./slots.ts";
export * from "./watch-peer.ts";
