/** The operators' admin API: tRPC over HTTP at `/admin`, with an operator's bearer. */

import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import { keyLevels, scope, scopes, type KeyLevel, type Scope } from "./access.ts";
import { id } from "./id.ts";
import { hostResources } from "./link-messages.ts";
import { planName, type PlanName } from "./plan.ts";
import { timestamp } from "./project.ts";

export const hostState = z.enum(["connected", "unknown", "never_connected", "revoked"]);

export const hostSummary = z.strictObject({
  id,
  name: z.string(),
  state: hostState,
  resources: hostResources.nullable(),
  reservedMemoryMb: z.int(),
  projects: z.int(),
  lastSeenAt: timestamp.nullable(),
  createdAt: timestamp,
});
export type HostSummary = z.infer<typeof hostSummary>;

export const accountSummary = z.strictObject({ id, name: z.string(), plan: planName, createdAt: timestamp });
export type AccountSummary = z.infer<typeof accountSummary>;

/** What an operator may do; one implementation in central's `app/`. */
export interface Administration {
  /** A single-use token (15 minutes) with which one machine may join. */
  createJoinToken(): Promise<{ token: string; expiresAt: string }>;
  listHosts(): Promise<HostSummary[]>;
  /** Takes a host's right to connect away, at once. */
  revokeHost(hostId: string): Promise<void>;
  createAccount(input: { name: string; plan: PlanName }): Promise<AccountSummary>;
  listAccounts(): Promise<AccountSummary[]>;
  /** A new API key, whole, for the only time. */
  createKey(input: { accountId: string; name: string; level: KeyLevel; scopes: Scope[] }): Promise<{ id: string; key: string }>;
}

/** Null for a caller without a valid operator's bearer. */
export interface AdminContext {
  administration: Administration | null;
}

const t = initTRPC.context<AdminContext>().create();

/** Every procedure of this router is an operator's: there is no other kind. */
const operator = t.procedure.use(({ ctx, next }) => {
  if (ctx.administration === null) throw new TRPCError({ code: "UNAUTHORIZED", message: "An operator's token is needed." });
  return next({ ctx: { administration: ctx.administration } });
});

export const adminRouter = t.router({
  createJoinToken: operator.mutation(({ ctx }) => ctx.administration.createJoinToken()),
  listHosts: operator.query(({ ctx }) => ctx.administration.listHosts()),
  revokeHost: operator.input(z.strictObject({ hostId: id })).mutation(({ ctx, input }) => ctx.administration.revokeHost(input.hostId)),
  createAccount: operator
    .input(z.strictObject({ name: z.string().trim().min(1).max(80), plan: planName }))
    .mutation(({ ctx, input }) => ctx.administration.createAccount(input)),
  listAccounts: operator.query(({ ctx }) => ctx.administration.listAccounts()),
  createKey: operator
    .input(
      z.strictObject({
        accountId: id,
        name: z.string().trim().min(1).max(40),
        level: z.enum(keyLevels),
        scopes: z.array(scope).max(scopes.length).default([]),
      }),
    )
    .mutation(({ ctx, input }) => ctx.administration.createKey(input)),
});

export type AdminRouter = typeof adminRouter;
