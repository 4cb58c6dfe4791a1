/** One preparation of the folder at a time: a file with the holder's pid, taken over when the holder is gone. */

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const pollMs = 200;
const deadlineMs = 15 * 60_000;

/** Runs `action` while holding `file`; `onWait` hears once whom it waits for. Throws what `timeoutError` makes after 15 minutes. */
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
    if (Date.now() > deadline) throw timeoutError(holder);
    if (!hasSaidSo) onWait(holder);
    hasSaidSo = true;
    await delay(pollMs);
  }
  try {
    return await action();
  } finally {
    rmSync(file, { force: true });
  }
}

/** A link appears with its content in one step, so that nobody ever reads a lock without a pid. */
function tryTake(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid}\n`);
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

/** Moves a dead holder's lock aside; puts it back when it became somebody else's meanwhile. */
function clearAway(file, deadHolder) {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
    if (readHolder(aside) !== deadHolder) linkSync(aside, file);
  } catch (cause) {
    if (cause.code !== "ENOENT" && cause.code !== "EEXIST") throw cause;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readHolder(file) {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause.code === "EPERM";
  }
}
