/**
 * Follows a deploy (an upload, or a return to an earlier version) to its end: shows its log lines as they
 * arrive, and reports the result that the service gives.
 */

import { ConnectionError, type LogLine } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit/latch";
import type { CommandContext } from "../command-context.ts";
import { awaitComingUp, type ComingUpResult } from "../project/await-coming-up.ts";
import { findVersions } from "../project/find-versions.ts";
import { findReplaced } from "../show/show-replaced.ts";
import { tellDeploy } from "../show/show-deploy.ts";
import type { Deploy, DeployResult } from "./deploy.ts";
import { DeployLog, type DeployLogOptions } from "./deploy-log.ts";

/** Deadline in ms: an install may take 5 minutes, and on a new host an image is built before it. */
const deadlineMs = 15 * 60_000;

/** Follows the deploy and reports its result; resolves with the exit code. */
export async function followDeploy(context: CommandContext, deploy: Deploy): Promise<number> {
  return tellDeploy(context, deploy, await awaitDeploy(context, deploy));
}

async function awaitDeploy(context: CommandContext, deploy: Deploy): Promise<DeployResult> {
  const watching = new AbortController();
  const signal = AbortSignal.any([context.signal, watching.signal]);
  const nudge = new Latch();
  try {
    const versionNumber = await findNewestNumber(context, deploy);
    const log = new DeployLog(context, logOptions(deploy, versionNumber));
    const following = log.follow(signal, nudge);
    try {
      const result = await awaitRun(context, deploy, { versionNumber, nudge });
      watching.abort();
      await following;
      await log.readRest(context.signal);
      const replaced = await findReplaced(deploy, versionNumber, context.signal);
      return { ...result, versionNumber, lastLines: log.lastLines, replaced };
    } finally {
      watching.abort();
      await following;
    }
  } catch (cause) {
    if (context.signal.aborted || cause instanceof ConnectionError)
      context.output.note(context.messages.deploy.goesOn);
    throw cause;
  }
}

/** Returns the number of the version that the upload made: no other can come while it is prepared. */
async function findNewestNumber(
  { signal }: CommandContext,
  { client, uploaded }: Deploy,
): Promise<number | null> {
  const versions = await findVersions(client, uploaded.id, signal);
  return versions?.[0]?.number ?? null;
}

function logOptions(
  { client, uploaded, loggedVersion }: Deploy,
  versionNumber: number | null,
): DeployLogOptions {
  const isOwn = ({ version }: LogLine) =>
    versionNumber === null ? version > (loggedVersion ?? 0) : version === versionNumber;
  const readsEarlier = versionNumber !== null || loggedVersion !== null;
  return { client, projectId: uploaded.id, isOwn, readsEarlier };
}

/** Waits for the end; starts what was installed into a stopped project. */
async function awaitRun(
  context: CommandContext,
  { client, uploaded, wantsStart }: Deploy,
  { versionNumber, nudge }: { versionNumber: number | null; nudge: Latch },
): Promise<ComingUpResult> {
  const run = { client, projectId: uploaded.id, versionNumber, deadlineMs, nudge };
  const installed = await awaitComingUp(context, { ...run, lastExit: uploaded.lastExit });
  if (!wantsStart || installed.end !== "off") return installed;
  context.output.note(context.messages.deploy.startsStopped(installed.project.name));
  await client.startProject({ id: uploaded.id }, { signal: context.signal });
  // For a stopped project's version the service has reported `ready`, and reports nothing when it comes up.
  const isReady = installed.versions.some(
    ({ number, status }) => number === versionNumber && status === "live",
  );
  return await awaitComingUp(context, { ...run, isReported: isReady, lastExit: installed.project.lastExit });
}
