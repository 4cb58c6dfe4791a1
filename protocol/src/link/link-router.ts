/**
 * Defines the link between central and the agents: tRPC procedures over two WebSockets per agent
 * (architecture: "The link").
 */

import { initTRPC } from "@trpc/server";
import { z } from "zod";
import {
  carriedVisits,
  certificatesRequest,
  drain,
  gatewayHello,
  routesRequest,
  type CarriedVisits,
  type CertificatesUpdate,
  type Drain,
  type GatewayHello,
  type GatewayWelcome,
  type RoutesUpdate,
} from "./gateway-messages.ts";
import { heldProjects, inventory, type HeldOutline, type HeldProject } from "./held-project.ts";
import {
  desiredRequest,
  hello,
  hostAnswer,
  joinRequest,
  report,
  usageReport,
  type DesiredUpdate,
  type Hello,
  type HostAnswer,
  type HostRequest,
  type Joined,
  type JoinRequest,
  type ReportEntry,
  type UsageReport,
  type Welcome,
} from "./link-messages.ts";
import { meshNews, meshRequest, type MeshNews, type MeshRequest, type MeshUpdate } from "./mesh-messages.ts";

/**
 * Central's side of one connection. Everything but `join`, `challenge` and `hello` throws before a successful
 * hello.
 */
export interface LinkConnection {
  /** Turns the holder of a single-use token into a host. */
  join(request: JoinRequest): Promise<Joined>;
  /**
   * Returns the nonce that the next hello on this connection must sign, and the versions that central speaks,
   * so that an agent knows before its hello whether they have a version in common.
   */
  challenge(): Promise<{ nonce: string; protocol: { min: number; max: number } }>;
  hello(hello: Hello): Promise<Welcome>;
  /**
   * Control socket: yields the numbered desired state, starting from what the agent reports that it holds.
   */
  desired(from: { revision: number; setHash: string }, signal: AbortSignal): AsyncIterable<DesiredUpdate>;
  /** Control socket: takes outbox entries; returns the highest sequence number that is now safe. */
  report(entries: ReportEntry[]): Promise<{ takenSequence: number }>;
  usage(usage: UsageReport): Promise<void>;
  /**
   * Control socket, before `desired`: receives all that the host has something of. Returns the projects that
   * central does not know as the host does.
   */
  inventory(projects: HeldOutline[]): Promise<{ tell: string[] }>;
  /** Control socket: receives the projects that `inventory` asked for. */
  tellHeld(projects: HeldProject[]): Promise<void>;
  /** Bulk socket: yields central's requests to the host. */
  requests(signal: AbortSignal): AsyncIterable<HostRequest>;
  answer(answer: HostAnswer): Promise<{ isCancelled: boolean }>;
  /**
   * Control socket: resolves once no gateway sends visits to a run any more and those under way are over, or
   * after the run's seconds.
   */
  drainSite(run: Omit<Drain, "drainId">): Promise<void>;
  /**
   * Control socket: makes the host a member of the mesh, and yields what it is to know of it, then again after
   * each change.
   */
  mesh(own: MeshRequest, signal: AbortSignal): AsyncIterable<MeshUpdate>;
  /** Control socket, while `mesh` yields updates with `mayUse`: receives each change of the host's own end. */
  tellMesh(news: MeshNews): Promise<void>;
  /** The hello of a gateway; the calls below are for gateways alone, after it. */
  gatewayHello(hello: GatewayHello): Promise<GatewayWelcome>;
  /** Yields the routes, then each change. */
  routes(from: { setHash: string }, signal: AbortSignal): AsyncIterable<RoutesUpdate>;
  /** Yields the certificates that the gateway lacks, then each change. Over TLS or within one machine only. */
  certificates(from: { held: string[] }, signal: AbortSignal): AsyncIterable<CertificatesUpdate>;
  drains(signal: AbortSignal): AsyncIterable<Drain>;
  drained(drain: Pick<Drain, "drainId">): Promise<void>;
  /** Receives visits that the gateway carried itself. A batch whose answer was lost comes again. */
  visits(visits: CarriedVisits): Promise<void>;
}

// Outside production tRPC adds stack traces to its errors; they are nobody's business but the log's.
const t = initTRPC.context<LinkConnection>().create({ isDev: false });

export const linkRouter = t.router({
  join: t.procedure.input(joinRequest).mutation(({ ctx, input }) => ctx.join(input)),
  challenge: t.procedure.input(z.void()).mutation(({ ctx }) => ctx.challenge()),
  hello: t.procedure.input(hello).mutation(({ ctx, input }) => ctx.hello(input)),
  desired: t.procedure.input(desiredRequest).subscription(async function* ({ ctx, input, signal }) {
    yield* ctx.desired(input, signal ?? AbortSignal.abort());
  }),
  report: t.procedure.input(report).mutation(({ ctx, input }) => ctx.report(input.entries)),
  usage: t.procedure.input(usageReport).mutation(({ ctx, input }) => ctx.usage(input)),
  inventory: t.procedure.input(inventory).mutation(({ ctx, input }) => ctx.inventory(input.projects)),
  tellHeld: t.procedure.input(heldProjects).mutation(({ ctx, input }) => ctx.tellHeld(input.projects)),
  requests: t.procedure.input(z.void()).subscription(async function* ({ ctx, signal }) {
    yield* ctx.requests(signal ?? AbortSignal.abort());
  }),
  answer: t.procedure.input(hostAnswer).mutation(({ ctx, input }) => ctx.answer(input)),
  drainSite: t.procedure
    .input(drain.omit({ drainId: true }))
    .mutation(({ ctx, input }) => ctx.drainSite(input)),
  mesh: t.procedure.input(meshRequest).subscription(async function* ({ ctx, input, signal }) {
    yield* ctx.mesh(input, signal ?? AbortSignal.abort());
  }),
  tellMesh: t.procedure.input(meshNews).mutation(({ ctx, input }) => ctx.tellMesh(input)),
  gatewayHello: t.procedure.input(gatewayHello).mutation(({ ctx, input }) => ctx.gatewayHello(input)),
  routes: t.procedure.input(routesRequest).subscription(async function* ({ ctx, input, signal }) {
    yield* ctx.routes(input, signal ?? AbortSignal.abort());
  }),
  certificates: t.procedure.input(certificatesRequest).subscription(async function* ({ ctx, input, signal }) {
    yield* ctx.certificates(input, signal ?? AbortSignal.abort());
  }),
  drains: t.procedure.input(z.void()).subscription(async function* ({ ctx, signal }) {
    yield* ctx.drains(signal ?? AbortSignal.abort());
  }),
  visits: t.procedure.input(carriedVisits).mutation(({ ctx, input }) => ctx.visits(input)),
  drained: t.procedure.input(drain.pick({ drainId: true })).mutation(({ ctx, input }) => ctx.drained(input)),
});

export type LinkRouter = typeof linkRouter;
