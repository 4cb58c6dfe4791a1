/** Defines the messages between central and an agent; their procedures are in `link-router.ts`. */

import { z } from "zod";
import { count, diskAmountMb, memoryAmountMb } from "../values/amounts.ts";
import { assignment } from "./assignment.ts";
import { departure } from "./held-project.ts";
import { machineName } from "./gateway-messages.ts";
import { hostItem, hostQuestion } from "./host-requests.ts";
import { id } from "../values/id.ts";
import { hostResources } from "../nouns/cluster/host.ts";
import { imageOverride } from "../nouns/cluster/image.ts";
import { linkMaxRunning } from "./link-limits.ts";
import { replacedEvent } from "./replaced-files.ts";
import { plainText, shownText } from "../values/plain-text.ts";
import { observedExit, observedState } from "../project/observed-state.ts";

/** Ed25519 public key, raw 32 bytes, base64url. */
export const hostPublicKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

export const joinRequest = z.object({
  /** What the machine becomes. The token must be one for it. Default: a host. */
  kind: z.enum(["host", "gateway"]).optional(),
  token: plainText(200),
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,62}$/),
  publicKey: hostPublicKey,
  /**
   * The id that this host had in the cluster before central's database was set back. It gets that id again
   * where no host has it, so that central's signatures for it stay valid. Agents send it only when they join
   * anew.
   */
  formerHostId: id.optional(),
});
export type JoinRequest = z.infer<typeof joinRequest>;

export interface Joined {
  hostId: string;
  /** Addresses that central gives the host's projects, see `mesh-messages.ts`; none for a gateway. */
  meshRange?: string;
}

/** Tells which of a host's two sockets a connection is. */
export const linkSocket = z.enum(["control", "bulk"]);
export type LinkSocket = z.infer<typeof linkSocket>;

/**
 * Returns the text that an agent signs to prove its identity on one connection; `nonce` is central's
 * challenge for that connection.
 */
export function helloSignatureText(hello: {
  hostId: string;
  socket: LinkSocket | "gateway";
  nonce: string;
  /** Binds it to a connection over TLS of central's own authority; undefined for any other. */
  channel?: string | undefined;
}): string {
  const { hostId, socket, nonce, channel } = hello;
  const bound = channel === undefined ? "" : `${channel}\n`;
  return `tijolo-link-hello\n${hostId}\n${socket}\n${nonce}\n${bound}`;
}

export const hello = z.object({
  hostId: id,
  socket: linkSocket,
  /** Ed25519 signature of {@link helloSignatureText}, base64url. */
  signature: plainText(200),
  /** The highest epoch this agent has seen; 0 before the first connection. */
  epoch: count,
  protocol: z.object({ min: count, max: count }),
  build: shownText(100),
  resources: hostResources,
  /** Where the host's projects are reached: a gateway of the same machine goes straight to them. */
  machine: machineName.optional(),
});
export type Hello = z.infer<typeof hello>;

export const welcome = z.object({
  protocol: count,
  /** Epoch, which rises with each start of central. */
  epoch: count,
  /** Highest sequence number of the outbox that central has taken from this host. */
  takenSequence: count,
  /** Bearer of the plain HTTP requests of this connection (archives, tunnel); dies with it. */
  bearer: plainText(200),
});
export type Welcome = z.infer<typeof welcome>;

/** The hash of a set, as `sumOfHashes` makes it; "" asks for the full set. */
const setHash = z.string().regex(/^(?:[0-9a-f]{64})?$/);

export const desiredRequest = z.object({ revision: count, setHash });

/**
 * The desired state from `revision` on, in one or more parts, so that a set of any size travels in bounded
 * frames; it takes effect as a whole with the last part. `isFull`: the upserts of all parts are all there is.
 * A wrong `setHash` asks for the full set.
 */
export const desiredUpdate = z.object({
  revision: count,
  /** Number of the part, from 0; a 0 begins anew and drops the parts of an update that was cut off. */
  part: count,
  isFull: z.boolean(),
  upserts: z.array(assignment),
  /** Projects that are no longer in the set. They stay on the host unless `departures` has a reason. */
  deletes: z.array(id),
  /** Reasons why projects no longer belong to this host. */
  departures: z.array(departure).max(10_000).optional(),
  /** Hash of the set that results; null: more parts follow. */
  setHash: setHash.nullable(),
  /**
   * All overrides, in the last part of an update that brings them; without it, those that were known stay in
   * force.
   */
  imageOverrides: z.array(imageOverride).max(200).optional(),
});
export type DesiredUpdate = z.infer<typeof desiredUpdate>;

/** An entry of an agent's outbox: sent until taken, counted once by its sequence number. */
export const reportEntry = z.object({
  sequence: count,
  projectId: id,
  generation: count,
  event: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("state"), state: observedState }),
    z.object({ kind: z.literal("exit"), runNumber: count, exit: observedExit, isCrash: z.boolean() }),
    replacedEvent,
  ]),
});
export type ReportEntry = z.infer<typeof reportEntry>;

export const report = z.object({ entries: z.array(reportEntry).max(500) });

/** Current usage of the host and its running projects; only the newest counts, so it is not in the outbox. */
export const usageReport = z.object({
  /**
   * Time since the host's start: it gives the interval to the report before this one, whatever happens to the
   * host's clock.
   */
  uptimeMs: count,
  host: z.object({
    memoryUsedMb: memoryAmountMb,
    cpuPercent: z.number().min(0).max(100),
    diskFreeMb: diskAmountMb,
  }),
  projects: z
    .array(
      z.object({
        projectId: id,
        runNumber: count,
        memoryMb: count,
        /** Processor time since the run began; cumulative. */
        cpuUsec: count,
        /** Bytes over the project's runs on this host; cumulative. */
        networkInBytes: count,
        networkOutBytes: count,
        /** Size of the project's files; null until measured. */
        diskMb: count.nullable(),
      }),
    )
    .max(linkMaxRunning),
});
export type UsageReport = z.infer<typeof usageReport>;

const requestId = plainText(100);

/** A request of central that needs an answer now, sent over the bulk socket. */
export const hostRequest = z.object({
  requestId,
  request: z.discriminatedUnion("kind", [hostQuestion, z.object({ kind: z.literal("cancel") })]),
});
export type HostRequest = z.infer<typeof hostRequest>;

/** A piece of the answer to a host request, in order; `isCancelled` in the reply tells the agent to stop. */
export const hostAnswer = z.object({
  requestId,
  items: z.array(hostItem).max(5_000),
  end: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("more") }),
    z.object({ kind: z.literal("done") }),
    z.object({ kind: z.literal("failed"), reason: z.enum(["bad_cursor", "gone", "fault"]) }),
  ]),
});
export type HostAnswer = z.infer<typeof hostAnswer>;
