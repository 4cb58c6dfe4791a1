/** The messages between central and an agent; the procedures that carry them are in `link-router.ts`. */

import { z } from "zod";
import { assignment } from "./assignment.ts";
import { hostStateItem, hostStateRequest } from "./host-state.ts";
import { id } from "./id.ts";
import { hostImageItem, hostImageRequests, imageOverride } from "./image.ts";
import { logLine, logSections, logStream } from "./log.ts";
import { lastExit, timestamp } from "./project.ts";
import { observedState } from "./project-state.ts";

/** Versions of this protocol: an agent says which it speaks, central chooses the highest that both do. */
export const linkProtocol = { min: 1, max: 4 } as const;

/** From this version on there are image overrides in the desired state, and requests about images. */
export const linkProtocolOfImages = 2;

/** From this version on a host can be asked to describe itself. */
export const linkProtocolOfHostStates = 3;

/** From this version on a page of a log can be asked for by what it lies before, and tells where older lines are. */
export const linkProtocolOfOlderLines = 4;

/** Deadlines of the link, in milliseconds. A ping without its pong ends the connection, which makes a host `unknown`. */
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
  cpuCount: z.int().min(1),
  memoryMb: z.int().min(1),
  diskMb: z.int().min(0),
  diskFreeMb: z.int().min(0),
  operatingSystem: z.string().max(200),
  architecture: z.string().max(40),
});
export type HostResources = z.infer<typeof hostResources>;

/** Ed25519 public key, raw 32 bytes, base64url. */
export const hostPublicKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

export const joinRequest = z.strictObject({
  token: z.string().max(200),
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,62}$/),
  publicKey: hostPublicKey,
});
export type JoinRequest = z.infer<typeof joinRequest>;

/** Which of a host's two sockets a connection is. */
export const linkSocket = z.enum(["control", "bulk"]);
export type LinkSocket = z.infer<typeof linkSocket>;

/** What an agent signs to prove its identity on one connection; `nonce` is central's challenge for that connection. */
export function helloSignatureText(hello: { hostId: string; socket: LinkSocket; nonce: string }): string {
  return `tijolo-link-hello\n${hello.hostId}\n${hello.socket}\n${hello.nonce}\n`;
}

export const hello = z.strictObject({
  hostId: id,
  socket: linkSocket,
  /** Ed25519 signature of {@link helloSignatureText}, base64url. */
  signature: z.string().max(200),
  /** The highest epoch this agent has seen; 0 before the first connection. */
  epoch: z.int(),
  protocol: z.strictObject({ min: z.int(), max: z.int() }),
  build: z.string().max(100),
  resources: hostResources,
  /** These three are read by nobody: {@link unreadOfHello}. */
  bootId: z.string().max(100).optional(),
  agentId: z.string().max(100).optional(),
  running: z.array(z.unknown()).optional(),
});
export type Hello = z.infer<typeof hello>;

/** What an agent says to a central that speaks less than protocol 4, and refuses a hello without it; the first hello does not know which. */
export const unreadOfHello = { bootId: "", agentId: "", running: [] } satisfies Partial<Hello>;

export const welcome = z.strictObject({
  protocol: z.int(),
  /** Rises with each start of central. */
  epoch: z.int(),
  /** Highest sequence number of the outbox that central has taken from this host. */
  takenSequence: z.int(),
  /** Bearer of the plain HTTP requests of this connection (archives, tunnel); dies with it. */
  bearer: z.string(),
});
export type Welcome = z.infer<typeof welcome>;

export const desiredRequest = z.strictObject({ revision: z.int(), setHash: z.string().max(64) });

/**
 * The desired state from `revision` on, in one or more parts, so that a set of any size travels in bounded frames; it takes effect as a
 * whole with the last part. `isFull`: the upserts of all parts are all there is. A wrong `setHash` asks for the full set.
 */
export const desiredUpdate = z.strictObject({
  revision: z.int(),
  /** From 0 on; a 0 begins anew and drops what came of an update that was cut off. */
  part: z.int().min(0),
  isFull: z.boolean(),
  upserts: z.array(assignment),
  deletes: z.array(id),
  /** Of the set that results; null: more parts follow. */
  setHash: z.string().nullable(),
  /** All there are, in the last part of an update that brings them; without it, those that were known go on to hold. */
  imageOverrides: z.array(imageOverride).max(200).optional(),
});
export type DesiredUpdate = z.infer<typeof desiredUpdate>;

/** One entry of an agent's outbox: told until taken, counted once by its sequence number. */
export const reportEntry = z.strictObject({
  sequence: z.int(),
  /** Read by nobody; a central that speaks less than protocol 4 takes no entry without it. */
  at: timestamp.optional(),
  projectId: id,
  generation: z.int(),
  event: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("state"), state: observedState }),
    z.strictObject({ kind: z.literal("exit"), runNumber: z.int(), exit: lastExit, isCrash: z.boolean() }),
  ]),
});
export type ReportEntry = z.infer<typeof reportEntry>;

export const report = z.strictObject({ entries: z.array(reportEntry).max(500) });

/** Current usage of the host and its running projects; only the newest counts, so it is not in the outbox. */
export const usageReport = z.strictObject({
  /** As {@link reportEntry.at}. */
  at: timestamp.optional(),
  /** Time since the host's start: says how long after the report before this one is, whatever becomes of the host's clock. */
  uptimeMs: z.int().min(0),
  host: z.strictObject({ memoryUsedMb: z.int(), cpuPercent: z.number(), diskFreeMb: z.int() }),
  projects: z
    .array(
      z.strictObject({
        projectId: id,
        runNumber: z.int(),
        memoryMb: z.int().min(0),
        /** Cumulative since the run began. */
        cpuUsec: z.int().min(0),
        /** Cumulative over the project's runs on this host. */
        networkInBytes: z.int().min(0),
        networkOutBytes: z.int().min(0),
        /** What the project's files take; null until measured. */
        diskMb: z.int().min(0).nullable(),
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
  since: z.string().optional(),
  until: z.string().optional(),
  q: z.string().optional(),
  stream: logStream.optional(),
  cursor: z.string().optional(),
  /** Of a page without `cursor`: only lines that lie before this one. */
  before: z.string().optional(),
  /** Of a page: it begins with an item `previous`, unless nothing that matches is older. */
  tellsPrevious: z.boolean().optional(),
});
export type LogRequest = z.infer<typeof logRequest>;

/** Something central needs an answer to now, sent over the bulk socket. */
export const hostRequest = z.strictObject({
  requestId: z.string(),
  request: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("logs"),
      projectId: id,
      query: logRequest,
    }),
    ...hostImageRequests,
    hostStateRequest,
    z.strictObject({ kind: z.literal("cancel") }),
  ]),
});
export type HostRequest = z.infer<typeof hostRequest>;

const hostLogItem = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("line"), cursor: z.string(), line: logLine }),
  z.strictObject({ kind: z.literal("gap"), cursor: z.string(), at: timestamp, droppedLines: z.int() }),
  /** What is older than the page lies before this cursor. */
  z.strictObject({ kind: z.literal("previous"), cursor: z.string() }),
]);
export type HostLogItem = z.infer<typeof hostLogItem>;

/** A piece of the answer to a host request, in order; `isCancelled` in the reply tells the agent to stop. */
export const hostAnswer = z.strictObject({
  requestId: z.string(),
  items: z.array(z.discriminatedUnion("kind", [...hostLogItem.options, ...hostImageItem.options, ...hostStateItem.options])).max(5_000),
  end: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("more") }),
    z.strictObject({ kind: z.literal("done") }),
    z.strictObject({ kind: z.literal("failed"), reason: z.enum(["bad_cursor", "gone", "fault"]) }),
  ]),
});
export type HostAnswer = z.infer<typeof hostAnswer>;

export type HostItem = HostAnswer["items"][number];
