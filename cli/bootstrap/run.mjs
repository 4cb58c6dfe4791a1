#!/usr/bin/env node
/**
 * Brings what a task needs (Node 24, pnpm, dependencies, system packages) and then runs it: `node
 * cli/bootstrap/run.mjs <task> …`. Plain JavaScript for any Node from 18 on, without dependencies.
 */

import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bringCountryTables } from "./country-tables.mjs";
import { installMissingTools } from "./debian-packages.mjs";
import { areDependenciesReady, installDependencies } from "./dependencies.mjs";
import { launch } from "./launch.mjs";
import { withLock } from "./lock.mjs";
import { areToolsReady, installTools, usedNode } from "./node-tools.mjs";
import { PreparationError } from "./preparation-error.mjs";
import { Progress } from "./progress.mjs";
import { tasks } from "./tasks.mjs";
import { textsFor } from "./texts.mjs";

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), "..", ".."));
const texts = textsFor(process.env);
const progress = new Progress();

process.exitCode = await main(process.argv.slice(2));

async function main([name = "", ...args]) {
  if (!Object.hasOwn(tasks, name)) {
    progress.say(texts.unknownTask(name, Object.keys(tasks).join(", ")));
    return 2;
  }
  const task = tasks[name];
  try {
    if (Number.parseInt(process.versions.node, 10) < 18)
      throw new PreparationError(texts.oldNode(process.versions.node));
    if (!existsSync(join(root, task.entry))) throw new PreparationError(texts.missingEntry(task.entry));
    const needsHost = !(name === "start" && wantsProcesses(args));
    if (name === "start" && needsHost) checkCanStart();
    const node = await prepare(needsHost ? task : { ...task, system: "none" });
    const env = {
      ...process.env,
      PATH: [dirname(node), join(root, ".tools", "node_modules", ".bin"), process.env.PATH ?? ""].join(
        delimiter,
      ),
    };
    if (name === "start")
      env.TIJOLO_COUNTRIES_DIRECTORY ??= await bringCountryTables(root, {
        texts,
        progress,
        env: process.env,
      });
    const { entry, nodeFlags = [], args: firstArgs = [] } = task;
    return await launch([node, ...nodeFlags, join(root, entry), ...firstArgs, ...args], { cwd: root, env });
  } catch (cause) {
    if (!(cause instanceof PreparationError)) throw cause;
    complain(cause);
    return 1;
  }
}

/** True when `npm start` runs without containers, and needs neither root nor packages of the system. */
function wantsProcesses(args) {
  const at = args.findIndex((argument) => argument === "--runtime" || argument.startsWith("--runtime="));
  if (at === -1) return process.env.TIJOLO_RUNTIME === "process";
  return (args[at].includes("=") ? args[at].slice("--runtime=".length) : args[at + 1]) === "process";
}

function checkCanStart() {
  if (process.platform !== "linux") throw new PreparationError(texts.startNeedsLinux(process.platform));
  if (process.getuid?.() !== 0) throw new PreparationError(texts.startNeedsRoot);
}

/** Prepares the task; resolves with the path of the Node that runs it. */
async function prepare(task) {
  const node = isPrepared()
    ? usedNode(root)
    : await withLock(join(root, ".tools", "preparing.pid"), lockOptions(), prepareNode);
  if (task.system === "none") return node;
  try {
    await installMissingTools({
      texts,
      progress,
      env: process.env,
      userId: process.getuid?.() ?? -1,
      tools: task.tools,
    });
  } catch (cause) {
    if (task.system === "required" || !(cause instanceof PreparationError)) throw cause;
    complain(cause);
    progress.say(texts.goesOnWithout);
  }
  return node;
}

function isPrepared() {
  return areToolsReady(root) && areDependenciesReady(root);
}

async function prepareNode() {
  const context = { texts, progress, env: process.env };
  const node = areToolsReady(root) ? usedNode(root) : await installTools(root, context);
  if (!areDependenciesReady(root)) await installDependencies(root, { ...context, node });
  return node;
}

function lockOptions() {
  return {
    onWait: (pid) => progress.say(texts.waitForOther(pid)),
    timeoutError: (pid) =>
      new PreparationError(texts.lockTimeout(pid, join(root, ".tools", "preparing.pid"))),
  };
}

function complain(error) {
  for (const line of error.tail.slice(-12)) progress.say(`  │ ${line}`);
  progress.say(error.message);
}
