/**
 * Exports what the programs share beside the contract and what needs Node: archives and downloads, connections,
 * logs and shutdown, queues and shares, retries and periodic work, the link's channel, signatures of releases.
 */

export * from "./files/archive-file.ts";
export * from "./files/byte-range.ts";
export * from "./files/data-lock.ts";
export * from "./files/download.ts";
export * from "./files/private-directory.ts";
export * from "./files/serve-bytes.ts";

export * from "./program/end-on-signals.ts";
export * from "./program/inherited-sockets.ts";
export * from "./program/log-destination.ts";
export * from "./program/log-level.ts";
export * from "./program/machine-name.ts";
export * from "./program/service-manager.ts";
export * from "./program/tijolo-version.ts";

export * from "./streams/end-socket.ts";
export * from "./streams/guard.ts";
export * from "./streams/hold-session.ts";
export * from "./streams/join-streams.ts";
export * from "./streams/reset-stream.ts";
export * from "./streams/watch-peer.ts";
export * from "./streams/writes-together.ts";

export * from "./keyed-queue.ts";
export * from "./latch.ts";
export * from "./link-channel.ts";
export * from "./poll.ts";
export * from "./reconciler.ts";
export * from "./release-signature.ts";
export * from "./retry.ts";
export * from "./serial-queue.ts";
export * from "./shares.ts";
export * from "./slots.ts";
