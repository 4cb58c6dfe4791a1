/** The messages between central and an agent; the procedures that carry them are in `link-router.ts`. */

import { z } from "zod";
import { count, diskAmountMb, memoryAmountMb } from "../values/amounts.ts";
import { assignment } from "./assignment.ts";
import { departure, heldProjectItem, heldProjectsRequest } from "./held-project.ts";
import { hostStateItem, hostStateRequest } from "./host-state.ts";
import { id } from "../values/id.ts";
import { hostImageItem, hostImageRequests, imageOverride } from "../nouns/image.ts";
import { logLine, logSections, logStream } from "../nouns/log.ts";
import { plainText, shownText } from "../values/plain-text.ts";
import { timestamp } from "../nouns/project.ts";
import { observedExit, observedState } from "../project/project-state.ts";

/** Versions of this protocol: an agent says which it speaks, central chooses the highest that both do. */
export const linkProtocol = { min: 1, max: 5 } as const;

/** From this version on there are image overrides in the desired state, and requests about images. */
export const linkProtocolOfImages = 2;

/** From this version on a host can be asked to describe itself. */
export const linkProtocolOfHostStates = 3;

/**
 * From this version on a page of a log can be asked for by what it lies before, and tells where older lines
 * are.
 */
export const linkProtocolOfOlderLines = 4;

/**
 * From this version on a host tells what it holds before it asks what is wanted, and gives up a project only
 * for a reason. With a central below it, an agent gives up what central takes out of a set that it sent, and
 * nothing that a full set does not name.
 */
export const linkProtocolOfInventories = 5;

/**
 * Deadlines of the link, in milliseconds. A ping without its pong ends the connection, which makes a host
 * `unknown`.
 */
export const linkTimes = { pingMs: 5_000, pongMs: 5_000, backOffMinMs: 500, backOffMaxMs: 20_000 } as const;

/** More than this much unsent data on a socket cuts the connection: a slow peer never grows memory. */
export const linkMaxBufferedBytes = 16 * 1024 * 1024;

/** Messages that an agent may put into one frame. */
export const linkMaxFrameMessages = 100;

/** Runs that a host tells the usage of at most. */
export const linkMaxRunning = 10_000;

/** A frame larger than this is refused. */
export const linkMaxFrameBytes = 8 * 1024 * 1024;

export const hostResources = z.strictObject({
  cpuCount: z.int().min(1).max(65_536),
  memoryMb: memoryAmountMb.min(1),
  diskMb: diskAmountMb,
  diskFreeMb: diskAmountMb,
  operatingSystem: shownText(200),
  architecture: shownText(40),
});
export type HostResources = z.infer<typeof hostResources>;

/** Ed25519 public key, raw 32 bytes, base64url. */
export const hostPublicKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

export const joinRequest = z.strictObject({
  token: plainText(200),
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,62}$/),
  publicKey: hostPublicKey,
  /**
   * The id that this host had in the cluster before central's database was set back. It gets that id again
   * where no host has it, so that central's signatures for it go on to hold. Agents send it only when they
   * join anew.
   */
  formerHostId: id.optional(),
});
export type JoinRequest = z.infer<typeof joinRequest>;

/** Which of a host's two sockets a connection is. */
export const linkSocket = z.enum(["control", "bulk"]);
export type LinkSocket = z.infer<typeof linkSocket>;

/**
 * What an agent signs to prove its identity on one connection; `nonce` is central's challenge for that
 * connection.
 */
export function helloSignatureText(hello: { hostId: string; socket: LinkSocket; nonce: string }): string {
  return `tijolo-link-hello\n${hello.hostId}\n${hello.socket}\n${hello.nonce}\n`;
}

export const hello = z.strictObject({
  hostId: id,
  socket: linkSocket,
  /** Ed25519 signature of {@link helloSignatureText}, base64url. */
  signature: plainText(200),
  /** The highest epoch this agent has seen; 0 before the first connection. */
  epoch: count,
  protocol: z.strictObject({ min: count, max: count }),
  build: shownText(100),
  resources: hostResources,
  /** These three are read by nobody: {@link unreadOfHello}. */
  bootId: plainText(100).optional(),
  agentId: plainText(100).optional(),
  running: z.array(z.unknown()).optional(),
});
export type Hello = z.infer<typeof hello>;

/**
 * What an agent says to a central that speaks less than protocol 4, and refuses a hello without it; the first
 * hello does not know which.
 */
export const unreadOfHello = { bootId: "", agentId: "", running: [] } satisfies Partial<Hello>;

export const welcome = z.strictObject({
  protocol: count,
  /** Rises with each start of central. */
  epoch: count,
  /** Highest sequence number of the outbox that central has taken from this host. */
  takenSequence: count,
  /** Bearer of the plain HTTP requests of this connection (archives, tunnel); dies with it. */
  bearer: plainText(200),
});
export type Welcome = z.infer<typeof welcome>;

/** The hash of a set, as `sumOfHashes` makes it; "" asks for the full set. */
const setHash = z.string().regex(/^(?:[0-9a-f]{64})?$/);

export const desiredRequest = z.strictObject({ revision: count, setHash });

/**
 * The desired state from `revision` on, in one or more parts, so that a set of any size travels in bounded
 * frames; it takes effect as a whole with the last part. `isFull`: the upserts of all parts are all there is.
 * A wrong `setHash` asks for the full set.
 */
export const desiredUpdate = z.strictObject({
  revision: count,
  /** From 0 on; a 0 begins anew and drops what came of an update that was cut off. */
  part: count,
  isFull: z.boolean(),
  upserts: z.array(assignment),
  /**
   * What is in the set no more. From protocol 5 on it stays on the host unless `departures` says otherwise.
   */
  deletes: z.array(id),
  /** Why projects are not this host's any more. */
  departures: z.array(departure).max(10_000).optional(),
  /** Of the set that results; null: more parts follow. */
  setHash: setHash.nullable(),
  /**
   * All there are, in the last part of an update that brings them; without it, those that were known go on to
   * hold.
   */
  imageOverrides: z.array(imageOverride).max(200).optional(),
});
export type DesiredUpdate = z.infer<typeof desiredUpdate>;

/** One entry of an agent's outbox: told until taken, counted once by its sequence number. */
export const reportEntry = z.strictObject({
  sequence: count,
  /** Read by nobody; a central that speaks less than protocol 4 takes no entry without it. */
  at: timestamp.optional(),
  projectId: id,
  generation: count,
  event: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("state"), state: observedState }),
    z.strictObject({ kind: z.literal("exit"), runNumber: count, exit: observedExit, isCrash: z.boolean() }),
  ]),
});
export type ReportEntry = z.infer<typeof reportEntry>;

export const report = z.strictObject({ entries: z.array(reportEntry).max(500) });

/** Current usage of the host and its running projects; only the newest counts, so it is not in the outbox. */
export const usageReport = z.strictObject({
  /** As {@link reportEntry.at}. */
  at: timestamp.optional(),
  /**
   * Time since the host's start: says how long after the report before this one is, whatever becomes of the
   * host's clock.
   */
  uptimeMs: count,
  host: z.strictObject({
    memoryUsedMb: memoryAmountMb,
    cpuPercent: z.number().min(0).max(100),
    diskFreeMb: diskAmountMb,
  }),
  projects: z
    .array(
      z.strictObject({
        projectId: id,
        runNumber: count,
        memoryMb: count,
        /** Cumulative since the run began. */
        cpuUsec: count,
        /** Cumulative over the project's runs on this host. */
        networkInBytes: count,
        networkOutBytes: count,
        /** What the project's files take; null until measured. */
        diskMb: count.nullable(),
      }),
    )
    .max(linkMaxRunning),
});
export type UsageReport = z.infer<typeof usageReport>;

/** A log query as it travels: defaults filled in, no text numbers. */
export const logRequest = z.strictObject({
  lines: z.int().min(0).max(1000),
  section: z.enum(["all", ...logSections]),
  follow: z.boolean(),
  since: z.iso.datetime().max(100).optional(),
  until: z.iso.datetime().max(100).optional(),
  /** What a person looks for: any characters. */
  q: z.string().max(200).optional(),
  stream: logStream.optional(),
  cursor: plainText(500).optional(),
  /** Of a page without `cursor`: only lines that lie before this one. */
  before: plainText(500).optional(),
  /** Of a page: it begins with an item `previous`, unless nothing that matches is older. */
  tellsPrevious: z.boolean().optional(),
});
export type LogRequest = z.infer<typeof logRequest>;

const requestId = plainText(100);

/** Something central needs an answer to now, sent over the bulk socket. */
export const hostRequest = z.strictObject({
  requestId,
  request: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("logs"),
      projectId: id,
      query: logRequest,
    }),
    ...hostImageRequests,
    hostStateRequest,
    heldProjectsRequest,
    z.strictObject({ kind: z.literal("cancel") }),
  ]),
});
export type HostRequest = z.infer<typeof hostRequest>;

const cursor = plainText(500);

/**
 * A line as the project's program wrote it: its characters are not the link's concern, and whoever shows it
 * makes them harmless.
 */
const hostLogLine = logLine.extend({ version: count, text: z.string().max(linkMaxFrameBytes) });

const hostLogItem = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("line"), cursor, line: hostLogLine }),
  z.strictObject({ kind: z.literal("gap"), cursor, at: timestamp, droppedLines: count }),
  /** What is older than the page lies before this cursor. */
  z.strictObject({ kind: z.literal("previous"), cursor }),
]);
export type HostLogItem = z.infer<typeof hostLogItem>;

/** A piece of the answer to a host request, in order; `isCancelled` in the reply tells the agent to stop. */
export const hostAnswer = z.strictObject({
  requestId,
  items: z
    .array(
      z.discriminatedUnion("kind", [
        ...hostLogItem.options,
        ...hostImageItem.options,
        ...hostStateItem.options,
        heldProjectItem,
      ]),
    )
    .max(5_000),
  end: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("more") }),
    z.strictObject({ kind: z.literal("done") }),
    z.strictObject({ kind: z.literal("failed"), reason: z.enum(["bad_cursor", "gone", "fault"]) }),
  ]),
});
export type HostAnswer = z.infer<typeof hostAnswer>;

export type HostItem = HostAnswer["items"][number];
