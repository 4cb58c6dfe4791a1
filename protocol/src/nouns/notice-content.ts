/**
 * Defines what a notice says, by its kind: parameters, never sentences. The sentences are in
 * `texts/{pt,en}/notice.ts`.
 */

import { z } from "zod";
import { ownerMessages } from "../project/owner-message.ts";
import { id } from "../values/id.ts";
import { domainEndReason } from "./domain.ts";
import { projectErrorCode, timestamp } from "./project.ts";

/** Kinds that a channel can carry. */
export const sentNoticeKinds = [
  "out_of_memory",
  "crash_loop",
  "install_failed",
  "start_failed",
  "limit",
  "domain_proof_gone",
  "domain_failed",
  "certificate_ending",
  "host_maintenance",
  "announcement",
] as const;
export type SentNoticeKind = (typeof sentNoticeKinds)[number];

/**
 * All kinds. `channel_failing` is shown in the list only, because a channel that fails cannot say so; `test`
 * goes to every channel, because a person asked for it.
 */
export const noticeKinds = [...sentNoticeKinds, "channel_failing", "test"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const noticeChannelNames = ["email", "discord", "webhook"] as const;
export type NoticeChannelName = (typeof noticeChannelNames)[number];

/** Shares of a limit at which a notice is given. */
export const noticePercents = [75, 90, 100] as const;
export type NoticePercent = (typeof noticePercents)[number];

export const limitedResources = ["memory", "disk"] as const;
export type LimitedResource = (typeof limitedResources)[number];

/** A project with the name that it had when the notice was made. */
const project = z.object({ id, name: z.string() });
const failedVersion = {
  project,
  versionNumber: z.int(),
  /** Version that goes on meanwhile; null when none does. */
  servingVersion: z.int().nullable(),
  error: z.object({ code: projectErrorCode, details: ownerMessages }),
};

export const noticeContent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("out_of_memory"), project, memoryMb: z.int() }),
  z.object({ kind: z.literal("crash_loop"), project, exitCode: z.int().nullable() }),
  z.object({ kind: z.literal("install_failed"), ...failedVersion }),
  z.object({ kind: z.literal("start_failed"), ...failedVersion }),
  z.object({
    kind: z.literal("limit"),
    project,
    resource: z.enum(limitedResources),
    percent: z.literal(noticePercents),
    limitMb: z.int(),
  }),
  /** The proof of a domain is missing in DNS since then. */
  z.object({ kind: z.literal("domain_proof_gone"), project, hostname: z.string(), since: timestamp }),
  /** A certificate ends then, and no other is there to take its place; `names` are host names with commas. */
  z.object({ kind: z.literal("certificate_ending"), names: z.string(), endsAt: timestamp }),
  z.object({ kind: z.literal("domain_failed"), project, hostname: z.string(), reason: domainEndReason }),
  z.object({
    kind: z.literal("host_maintenance"),
    /** Text of an operator; null when the machine stopped answering by itself. */
    text: z.string().nullable(),
    /** Time since which the machine is silent; null for an operator's announcement. */
    since: timestamp.nullable(),
    /** Number of the account's projects on the machine. */
    projects: z.int(),
  }),
  z.object({ kind: z.literal("announcement"), text: z.string() }),
  z.object({ kind: z.literal("channel_failing"), channel: z.enum(noticeChannelNames), since: timestamp }),
  z.object({ kind: z.literal("test") }),
]);
export type NoticeContent = z.infer<typeof noticeContent>;
export type NoticeContentOf<Kind extends NoticeKind> = Extract<NoticeContent, { kind: Kind }>;

/** Returns the project that a notice is about; null for one that is about no single project. */
export function projectOfNotice(content: NoticeContent): { id: string; name: string } | null {
  return "project" in content ? content.project : null;
}

/**
 * A title and a message for every kind: a kind without a text, or one too many, does not compile. `reason`:
 * why a version failed, as the project's own error says it.
 */
export type NoticeTexts = {
  readonly [Kind in NoticeKind]: {
    title: (content: NoticeContentOf<Kind>) => string;
    message: (content: NoticeContentOf<Kind>, reason: string) => string;
  };
};
