/** The account as its owner sees it: plan, what is used of it, and what was done in it. */

import { z } from "zod";
import { id } from "../values/id.ts";
import { planName } from "./plan.ts";
import { timestamp } from "./project.ts";

const quota = z.strictObject({ limit: z.int(), used: z.int(), free: z.int() });
const requestWindow = z.strictObject({ limit: z.int(), remaining: z.int(), resetSeconds: z.int() });

export const account = z.strictObject({
  id,
  name: z.string(),
  plan: planName,
  memoryMb: quota,
  projects: quota,
  sites: quota,
  /** Requests with keys, all keys together. */
  requests: z.strictObject({ perMinute: requestWindow, perDay: requestWindow }),
  /** Null unless the account is suspended. */
  suspendedAt: timestamp.nullable(),
  /** When running projects of a suspended account stop; null unless suspended. */
  stopsAt: timestamp.nullable(),
  /** When the account returns to Free; null unless its beta is ending. */
  betaEndsAt: timestamp.nullable(),
  createdAt: timestamp,
});
export type Account = z.infer<typeof account>;

/** `service`: Tijolo itself, for example when a suspension's grace is over. */
export const actorKinds = ["key", "session", "operator", "service"] as const;
export type ActorKind = (typeof actorKinds)[number];

export const actor = z.strictObject({ kind: z.enum(actorKinds), name: z.string() });

export const activityActions = [
  "project.create",
  "project.upload",
  "project.settings",
  "project.delete",
  "project.start",
  "project.stop",
  "project.restart",
  "project.variables",
  "project.restore",
  "key.create",
  "key.revoke",
  "account.sign_up",
  "account.sign_in",
  "account.sign_out",
  "account.session_end",
  "account.password_change",
  "account.password_reset",
  "account.password_reset_request",
  "account.two_factor_on",
  "account.two_factor_off",
  "account.recovery_codes",
  "account.not_me",
  "account.plan",
  "account.suspend",
  "account.resume",
  "account.beta_ending",
] as const;
export type ActivityAction = (typeof activityActions)[number];

/** Fields before and after, without secrets: of variables only the names. */
export const changedFields = z.record(z.string(), z.json());

export const activityEntry = z.strictObject({
  id,
  at: timestamp,
  actor,
  action: z.enum(activityActions),
  /** The project it was done to; null when it was none. The name is the one of that time. */
  project: z.strictObject({ id, name: z.string() }).nullable(),
  /** Where the request came from; null for the service itself. */
  address: z.string().nullable(),
  before: changedFields.nullable(),
  after: changedFields.nullable(),
});
export type ActivityEntry = z.infer<typeof activityEntry>;

export const projectEventKinds = [
  "create",
  "upload",
  "settings",
  "variables",
  "start",
  "stop",
  "restart",
  "exit",
  "crash",
] as const;

/** What happened to a project, and why. */
export const projectEvent = z.strictObject({
  id: z.string(),
  at: timestamp,
  kind: z.enum(projectEventKinds),
  /** Who caused it; null for what the program did by itself. */
  actor: actor.nullable(),
  /** Of an exit or crash. */
  exit: z.strictObject({ code: z.int(), isOutOfMemory: z.boolean() }).nullable(),
});
export type ProjectEvent = z.infer<typeof projectEvent>;
