/** Starts central's service, and waits until it answers. */

import { poll } from "@tijolo/protocol/kit/poll";
import { dialable } from "../dialable.ts";
import { places } from "../places.ts";
import { runProgram, succeeds } from "../run-program.ts";
import { enableUnits, findOtherProgram, lastLines } from "../start-unit.ts";
import type { Undo } from "../steps.ts";
import { centralUnit, textsOfCentralUnits, type ListenAddresses } from "./central-units.ts";

const readyTimeoutMs = 60_000;
const answerTimeoutMs = 5_000;

export function isCentralUp(): Promise<boolean> {
  return succeeds(["systemctl", "is-active", "--quiet", centralUnit]);
}

/**
 * Starts central anew when something changed, or it does not run what is installed, and waits until it answers. Its sockets stay
 * open meanwhile, so that connections wait, unless their own units changed.
 */
export async function startCentral(
  listen: ListenAddresses,
  { isChanged, areSocketsChanged }: { isChanged: boolean; areSocketsChanged: boolean },
): Promise<Undo | null> {
  const isCurrent = (await isCentralUp()) && (await findOtherProgram(centralUnit, places.central)) === null;
  const wasEnabled = !(await enableUnits([...textsOfCentralUnits(listen).keys()]));
  if (isCurrent && !isChanged) return wasEnabled ? null : async () => {};
  if (areSocketsChanged) {
    await runProgram(["systemctl", "stop", centralUnit]);
    await runProgram(["systemctl", "restart", ...socketsFirst(listen)]);
  } else await runProgram(["systemctl", "restart", centralUnit]);
  const lines = await findSilence(listen.api);
  if (lines !== null) throw new Error(lines);
  return async () => {};
}

/**
 * Starts central again after an installation was taken back. Throws `refusal`, with the last lines of the log, when
 * central does not answer.
 */
export async function restartCentral(
  listen: ListenAddresses,
  refusal: (lines: string) => string,
): Promise<void> {
  await runProgram(["systemctl", "restart", ...socketsFirst(listen)]);
  const lines = await findSilence(listen.api);
  if (lines !== null) throw new Error(refusal(lines));
}

/** Returns central's units, the sockets before the service that they belong to. */
function socketsFirst(listen: ListenAddresses): string[] {
  const sockets = [...textsOfCentralUnits(listen).keys()].filter((name) => name !== centralUnit);
  return [...sockets, centralUnit];
}

/** Waits until central answers; returns null then, and otherwise the last lines of its log. */
async function findSilence(address: string): Promise<string | null> {
  const url = `http://${dialable(address)}/api/status`;
  // systemd takes the connection also while central does not come up.
  const answers = async () =>
    (await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => null))?.ok === true;
  if (await poll(answers, { timeoutMs: readyTimeoutMs, everyMs: 200 })) return null;
  return lastLines(centralUnit, 20);
}
