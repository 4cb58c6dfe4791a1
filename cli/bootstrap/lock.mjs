/**
 * Lets one preparation of the folder run at a time: by a file that names its holder, taken over when the
 * holder is gone.
 */

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const pollMs = 200;
const deadlineMs = 15 * 60_000;

/**
 * Runs `action` while holding `file`; `onWait` is called once with the pid of the process it waits for.
 * Throws what `timeoutError` makes after 15 minutes.
 */
export async function withLock(file, { onWait, timeoutError }, action) {
  mkdirSync(dirname(file), { recursive: true });
  const deadline = Date.now() + deadlineMs;
  let hasSaidSo = false;
  while (!tryTake(file)) {
    const holder = readHolder(file);
    if (holder === null || !isAlive(holder)) {
      clearAway(file, holder);
      continue;
    }
    if (Date.now() > deadline) throw timeoutError(holder.pid);
    if (!hasSaidSo) onWait(holder.pid);
    hasSaidSo = true;
    await delay(pollMs);
  }
  try {
    return await action();
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Tries to take the lock. A link appears with its content in one step, so that nobody ever reads a lock
 * without a holder.
 */
function tryTake(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${ownMark()}\n`);
  try {
    linkSync(own, file);
    return true;
  } catch (cause) {
    if (cause.code === "EEXIST") return false;
    throw cause;
  } finally {
    rmSync(own, { force: true });
  }
}

function ownMark() {
  const startTicks = startTicksOf(process.pid);
  return startTicks === undefined ? String(process.pid) : `${process.pid} ${startTicks}`;
}

/** Moves a dead holder's lock aside; puts it back when another process has taken it meanwhile. */
function clearAway(file, deadHolder) {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
    if (readHolder(aside)?.text !== deadHolder?.text) linkSync(aside, file);
  } catch (cause) {
    if (cause.code !== "ENOENT" && cause.code !== "EEXIST") throw cause;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Reads `<pid> <start ticks>`: a pid alone is soon another process's, in a container that starts again at
 * once. Without ticks where the system does not tell them.
 */
function readHolder(file) {
  try {
    const text = readFileSync(file, "utf8");
    const [, pid, startTicks] = /^([1-9]\d*)(?: (\d+))?\n?$/.exec(text) ?? [];
    return pid === undefined ? null : { text, pid: Number(pid), startTicks };
  } catch {
    return null;
  }
}

function isAlive({ pid, startTicks }) {
  if (!isThere(pid)) return false;
  const ticksNow = startTicksOf(pid);
  if (startTicks === undefined && ticksNow !== undefined && pid === process.pid) return false; // a lock of this process has ticks
  return startTicks === undefined || ticksNow === undefined || startTicks === ticksNow;
}

/**
 * True while the process exists. A zombie, which has ended and waits for its parent to collect it, counts as
 * gone: in some containers no parent ever does.
 */
function isThere(pid) {
  try {
    process.kill(pid, 0);
    return statOf(pid)?.[0] !== "Z";
  } catch (cause) {
    return cause.code === "EPERM";
  }
}

/** Returns when the process started, in clock ticks (stat's field 22); undefined where there is no /proc. */
function startTicksOf(pid) {
  return statOf(pid)?.[19];
}

/** Returns the fields of a process's stat from the third, its state; undefined where there is no /proc. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
