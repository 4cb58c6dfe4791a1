/**
 * Checks a hello: the signature proves the host, both sides share a protocol, and the agent has seen no newer
 * central.
 */

import { TRPCError } from "@trpc/server";
import { commonProtocol, type Hello, type LinkProtocol } from "@tijolo/protocol";
import { isHelloSigned } from "./host-key.ts";
import type { LinkLogger } from "./link-options.ts";

export interface HelloExpectation {
  /** Protocol versions that this central speaks. */
  protocol: LinkProtocol;
  /** Central's challenge; undefined when there was none, or it has been used. */
  nonce: string | undefined;
  /** What the signature must be bound to (`linkChannelOf`); undefined for a connection without TLS. */
  channel: string | undefined;
  /** Public key of the host; undefined for an unknown or revoked host. */
  publicKey: string | undefined;
  /**
   * Returns this central's epoch, which it may have raised above what this host, which has proved who it is,
   * has seen.
   */
  epochAbove: (heard: number) => Promise<number>;
  logger: LinkLogger;
  /** Called for an unknown client, with what to tell the operator. */
  refused: (fields: object) => void;
}

/** Checks a hello. Returns the protocol to speak and the epoch of the host; throws the refusal. */
export async function checkHello(
  hello: Hello,
  { protocol: own, nonce, channel, publicKey, epochAbove, logger, refused }: HelloExpectation,
): Promise<{ protocol: number; epoch: number }> {
  const { hostId, socket } = hello;
  if (
    nonce === undefined ||
    publicKey === undefined ||
    !isHelloSigned(publicKey, hello, { nonce, channel })
  ) {
    refused({ hostId, socket, isKnown: publicKey !== undefined });
    throw new TRPCError({ code: "UNAUTHORIZED", message: "Unknown or revoked host, or a wrong signature." });
  }
  const protocol = commonProtocol(own, hello.protocol);
  if (protocol === undefined) {
    const { min, max } = own;
    logger.error(
      { hostId, agent: hello.protocol, central: { min, max }, build: hello.build },
      "link: no common protocol with an agent",
    );
    throw new TRPCError({
      code: "PRECONDITION_FAILED",
      message: `Central speaks protocol ${min} to ${max}.`,
    });
  }
  const epoch = await epochAbove(hello.epoch);
  if (hello.epoch > epoch) {
    logger.error(
      { hostId, agentEpoch: hello.epoch, epoch },
      "link: an agent has seen a newer central than this one, so this one must not lead it. If this one was restored with the file `epoch` of its data directory, and no other runs any more: remove that file and start it again",
    );
    throw new TRPCError({
      code: "CONFLICT",
      message: `The agent has seen epoch ${hello.epoch}; this central has ${epoch}.`,
    });
  }
  return { protocol, epoch };
}
