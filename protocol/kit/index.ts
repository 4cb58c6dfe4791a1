/**
 * Exports what the programs share beside the contract and what needs Node: archives, watching connections,
 * queues, periodic work, logs and shutdown.
 */

export * from "./archive-file.ts";
export * from "./byte-range.ts";
export * from "./data-lock.ts";
export * from "./download.ts";
export * from "./end-on-signals.ts";
export * from "./end-socket.ts";
export * from "./guard.ts";
export * from "./hold-session.ts";
export * from "./inherited-sockets.ts";
export * from "./join-streams.ts";
export * from "./keyed-queue.ts";
export * from "./latch.ts";
export * from "./link-channel.ts";
export * from "./log-destination.ts";
export * from "./log-level.ts";
export * from "./machine-name.ts";
export * from "./poll.ts";
export * from "./private-directory.ts";
export * from "./reconciler.ts";
export * from "./release-signature.ts";
export * from "./reset-stream.ts";
export * from "./retry.ts";
export * from "./serve-bytes.ts";
export * from "./service-manager.ts";
export * from "./shares.ts";
export * from "./slots.ts";
export * from "./tijolo-version.ts";
export * from "./watch-peer.ts";
export * from "./writes-together.ts";
