/** Proves on a new connection which host this is, and receives central's welcome. */

import {
  commonProtocol,
  helloSignatureText,
  linkProtocol,
  withPlainTexts,
  type LinkSocket,
  type Welcome,
} from "@tijolo/protocol";
import { callCentral, RefusedError, type Connection, untilAborted } from "@tijolo/protocol/kit/link";
import type { LinkBounds, LinkOptions } from "./link-options.ts";

export async function sayHello(
  connection: Connection,
  socket: LinkSocket,
  options: LinkOptions,
  bounds: LinkBounds,
): Promise<Welcome> {
  const { identity, ledger, handlers } = options;
  const hostId = options.hostId();
  const { build, resources, machine } = await untilAborted(connection.ended, handlers.describe());
  const call = <T>(work: (signal: AbortSignal) => Promise<T>) =>
    callCentral(connection, bounds.connectMs, work);
  const { nonce, protocol } = await call((signal) =>
    connection.client.challenge.mutate(undefined, { signal }),
  );
  if (commonProtocol(linkProtocol, protocol) === undefined) {
    const advice = protocol.min > linkProtocol.max ? "upgrade this agent" : "upgrade central";
    throw new RefusedError(
      `central speaks versions ${protocol.min} to ${protocol.max} of the link, this agent ${linkProtocol.min} to ${linkProtocol.max}: ${advice}`,
    );
  }
  const hello = {
    hostId,
    socket,
    signature: identity.sign(helloSignatureText({ hostId, socket, nonce, channel: connection.channel() })),
    epoch: ledger.epoch(),
    protocol: { min: linkProtocol.min, max: linkProtocol.max },
    ...withPlainTexts({ build, resources }),
    ...(machine === undefined ? {} : { machine }),
  };
  const welcome = await call((signal) => connection.client.hello.mutate(hello, { signal }));
  if (welcome.epoch < ledger.epoch()) {
    throw new RefusedError(
      `central's epoch ${welcome.epoch} is older than ${ledger.epoch()}, which this host has seen; it does not follow it`,
    );
  }
  if (welcome.epoch > ledger.epoch()) ledger.setEpoch(welcome.epoch);
  return welcome;
}
