/** Runs the steps of a version's install, each upon the layers of those before it. */

import { join } from "node:path";
import { cpuWeight, type Assignment, type OwnerMessage } from "@tijolo/protocol";
import { ioLimits } from "../../disk/io-limits.ts";
import { logDirectory } from "../../logs/writer/log-files.ts";
import { removeTree } from "../../host/files/trees.ts";
import { stepKey } from "../../install-cache/step-key.ts";
import { hasWrittenHome } from "../../install-cache/written-home.ts";
import type { InstallStep, SourceTree } from "../../languages/language-rules.ts";
import type { AppLayer, InstallOutcome, InstallRequest } from "../../runtime/runtime.ts";
import { versionDirectory } from "../../versions/version-files.ts";
import type { CommonRequest } from "./container-request.ts";
import { installMemoryMb } from "./environment.ts";
import type { ProjectHandle } from "../project-handle.ts";

/** Processes of an install (spec: "Limits"). */
const installPids = 1024;

/** Result of the steps; `layers` are what they made, topmost first. */
export type StepsOutcome = { status: "installed"; layers: AppLayer[] } | FailedSteps;

export type FailedSteps = FailedInstall & {
  /** Reason for the failure of an install whose steps all succeeded. */
  problem?: OwnerMessage;
};

type FailedInstall = Extract<InstallOutcome, { status: "failed" }>;

export interface InstallSteps {
  steps: readonly InstallStep[];
  tree: SourceTree;
  common: CommonRequest;
}

/** Runs the steps. All together have the install's time; the first that fails ends it. */
export async function runInstallSteps(
  worker: ProjectHandle,
  assignment: Assignment,
  { steps, tree, common }: InstallSteps,
  signal: AbortSignal,
): Promise<StepsOutcome> {
  const { context, projectId } = worker;
  const endAtMs = context.clock.now() + context.installTimeoutMs;
  let layers: AppLayer[] = [];
  for (const step of steps) {
    const request = () => ({
      ...common,
      appLayers: [...layers, ...common.appLayers],
      timeoutMs: Math.max(1, endAtMs - context.clock.now()),
    });
    const line = `$ ${step.command}`;
    await context.logs.appendSystemLine(projectId, "install", line, new Date(context.clock.now()));
    const { imageLayers, environment } = common;
    const key = layers.length === 0 ? stepKey(step, { tree, imageLayers, environment }) : undefined;
    const made =
      key === undefined
        ? await runStep(worker, assignment, step, request(), signal)
        : await takeOrMake(worker, assignment, { step, key, request }, signal);
    if (made.status === "failed") return made;
    layers = [made.layer, ...layers];
  }
  return { status: "installed", layers };
}

type StepRequest = CommonRequest & Pick<InstallRequest, "timeoutMs" | "homeDirectory">;
type StepOutcome = { status: "installed"; layer: AppLayer } | FailedInstall;

interface KeyedStep {
  step: InstallStep;
  key: string;
  request: () => StepRequest;
}

/**
 * Reuses the account's cached result of the same step, or runs the step and caches its result. The step runs
 * with an empty HOME, so that nothing but its key decides the result; a step that leaves something there for
 * the program runs again with the project's own HOME, and is not cached.
 */
async function takeOrMake(
  worker: ProjectHandle,
  assignment: Assignment,
  { step, key, request }: KeyedStep,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { context, projectId } = worker;
  const { accountId, versionNumber } = assignment;
  const found = await context.installCache.find(accountId, key);
  if (found !== undefined) {
    await say(worker, { code: "install_reused" });
    return { status: "installed", layer: found };
  }
  const homeDirectory = join(versionDirectory(context.dataDirectory, projectId, versionNumber), "home");
  try {
    await removeTree(homeDirectory);
    const made = await runStep(worker, assignment, step, { ...request(), homeDirectory }, signal);
    if (made.status === "failed") return made;
    if (!(await hasWrittenHome(homeDirectory))) {
      return { status: "installed", layer: await keep(worker, { accountId, key, made: made.layer }, signal) };
    }
  } finally {
    await removeTree(homeDirectory);
  }
  await say(worker, { code: "install_repeated_with_home" });
  return runStep(worker, assignment, step, request(), signal);
}

async function runStep(
  { context, projectId }: ProjectHandle,
  { versionNumber, settings }: Assignment,
  { name, command }: InstallStep,
  request: StepRequest,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const resultDirectory = join(versionDirectory(context.dataDirectory, projectId, versionNumber), name);
  const outcome = await context.runtime.install(
    {
      ...request,
      command,
      logDirectory: logDirectory(context.dataDirectory, projectId, "install"),
      limits: {
        memoryMb: installMemoryMb,
        cpuPercent: null,
        cpuWeight: cpuWeight(settings.memoryMb),
        pids: installPids,
        io: await ioLimits(context.disks, projectId),
      },
      resultDirectory,
    },
    signal,
  );
  return outcome.status === "failed"
    ? outcome
    : { status: "installed", layer: { directory: resultDirectory, uidBase: request.uidBase } };
}

/**
 * Moves the layer from the project's disk to the account's cached installs, by a copy; a fault only makes the
 * next install slower.
 */
async function keep(
  { context, projectId }: ProjectHandle,
  { accountId, key, made }: { accountId: string; key: string; made: AppLayer },
  signal: AbortSignal,
): Promise<AppLayer> {
  try {
    const kept = await context.installCache.keep(accountId, key, made.directory, signal);
    if (kept === undefined) return made;
    await removeTree(made.directory);
    return kept;
  } catch (error) {
    signal.throwIfAborted();
    context.logger.warn({ err: error, projectId }, "an install could not be kept for later ones");
    return made;
  }
}

export async function say({ context, projectId }: ProjectHandle, message: OwnerMessage): Promise<void> {
  await context.logs.appendMessage(projectId, "install", message, new Date(context.clock.now()));
}
