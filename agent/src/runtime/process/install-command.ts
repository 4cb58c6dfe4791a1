/**
 * Runs one step of an install without a container: in a copy of the layers below; the result is the changes.
 */

import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeTree } from "../../host/files/trees.ts";
import { untilFound } from "../directory-watch.ts";
import { writeRunRecord } from "../run-record.ts";
import type { InstallOutcome, InstallRequest } from "../runtime.ts";
import { findCommandEnd, killCommand, launchCommand, removeRun } from "./command-run.ts";
import { copyLayers, moveChanges } from "./lay-files.ts";
import { ownEnvironment } from "./own-environment.ts";

export interface InstallCommand {
  request: InstallRequest;
  run: string;
  /** Directory where runs get the result. */
  runsIn: string;
  home: string;
  hostPath: string;
  bootId: string;
  now: () => Date;
}

/** Runs the command as {@link Runtime.install} describes. */
export async function runInstallCommand(
  install: InstallCommand,
  signal: AbortSignal,
): Promise<InstallOutcome> {
  signal.throwIfAborted();
  const { run, runsIn } = install;
  const { resultDirectory } = install.request;
  const app = join(dirname(resultDirectory), "work");
  for (const directory of [run, app, resultDirectory]) await removeTree(directory);
  let outcome: InstallOutcome | undefined;
  try {
    outcome = await runInCopy(install, app, signal);
    return outcome;
  } finally {
    await killCommand(run);
    await removeRun(run);
    await removeTree(app);
    // What it wrote down of its own place (as environments of Python do) leads to where it is laid.
    if (outcome?.status === "installed") await symlink(runsIn, app);
    else await removeTree(resultDirectory);
  }
}

/**
 * Copies the layers to `app`, runs the command there, and moves what it changed to the result directory. The
 * caller removes what is left of it.
 */
async function runInCopy(
  { request, run, home, hostPath, bootId, now }: InstallCommand,
  app: string,
  signal: AbortSignal,
): Promise<InstallOutcome> {
  const { projectId, versionNumber, command, logDirectory } = request;
  const marks = await copyLayers(
    request.appLayers.map(({ directory }) => directory),
    app,
  );
  const environment = ownEnvironment(request.environment, {
    app,
    home,
    hostPath,
    port: null,
    files: request.bindReadOnly,
  });
  await mkdir(run, { recursive: true, mode: 0o700 });
  await writeRunRecord(run, {
    projectId,
    versionNumber,
    runNumber: 0,
    name: "install",
    bootId,
    startedAt: now().toISOString(),
  });
  await launchCommand(run, { command, environment, appDirectory: app, logDirectory });
  const end = await untilFound(run, request.timeoutMs, () => findCommandEnd(run, now), signal);
  if (end === undefined) return { status: "failed", code: "install_timeout", exitCode: null };
  if (end.cause === "killed") throw new Error("the install step was killed from outside");
  if (end.code !== 0) return { status: "failed", code: "install_failed", exitCode: end.code };
  await moveChanges(app, marks, request.resultDirectory);
  return { status: "installed" };
}
