/** Defines what an agent observed of a project, as it reports it to central. */

import { z } from "zod";
import { siteAddress } from "../link/gateway-messages.ts";
import { lastExit, projectErrorCode, timestamp } from "../nouns/project.ts";
import { count } from "../values/amounts.ts";
import { plainText } from "../values/plain-text.ts";
import { ownerMessages } from "./owner-message.ts";
import { exitCode } from "./run-messages.ts";

/**
 * Phases of a project on its host: `extracting` (archive on its way to the disk), `installing` (also while
 * the first start after an install is made), `ready` (installed, not running), `starting` (a person asked for
 * it), `running`, `stopping`, `waiting` (comes back by itself, after a crash or a reboot: through the pause
 * and until it is up), `failed` (gave up; `errorCode` says why).
 */
export const phases = [
  "extracting",
  "installing",
  "ready",
  "starting",
  "running",
  "stopping",
  "waiting",
  "failed",
] as const;

/** An exit as an agent reports it; `code` as the kernel has it. */
export const observedExit = z.object({
  ...lastExit.shape,
  code: exitCode,
});

/** State that the agent of the project's host observed. Times are of the host's clock. */
export const observedState = z.object({
  phase: z.enum(phases),
  versionNumber: count,
  restartCount: count,
  errorCode: projectErrorCode.nullable(),
  /**
   * Details of `errorCode` that only the host knows; each becomes a sentence of the error's message.
   */
  errorDetails: ownerMessages.default([]),
  consecutiveCrashes: count,
  lastExit: observedExit.nullable(),
  startedAt: timestamp.nullable(),
  /** `configTag` of the assignment that the newest run was started with; null before the first. */
  configTag: plainText(100).nullable().default(null),
  /**
   * Version of the run that is up now, or that comes back by itself after a crash; null when there is none.
   * It is an earlier one than `versionNumber` while new code is prepared, and after new code has failed.
   */
  servingVersion: count.nullable().default(null),
  /**
   * True once the newest run of `versionNumber` has come up: a bot has run for 5 s, a site listens on its
   * port, a static site is served.
   */
  hasComeUp: z.boolean().default(false),
  /**
   * Address of the run of a site that is up and has listened on its port, or of the server of a static site's
   * files; none for a bot, and a run that is about to be stopped.
   */
  site: siteAddress.nullable().optional(),
  /** Address of the project in the mesh while a process of it runs that is not about to be stopped. */
  meshAddress: z.ipv4().nullable().optional(),
});

export type ObservedState = z.infer<typeof observedState>;
