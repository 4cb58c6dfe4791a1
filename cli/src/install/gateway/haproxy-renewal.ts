/**
 * The timer that renews a HAProxy which was fetched, as on Debian 12: Debian's updates of the machine do not reach that
 * tree, and the gateway's own unit may not write it.
 */

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { places, slice } from "../places.ts";
import { runProgram, succeeds } from "../run-program.ts";
import type { Undo } from "../steps.ts";
import { writeUnit } from "../write-unit.ts";

export const renewalService = "tijolo-haproxy.service";
export const renewalTimer = "tijolo-haproxy.timer";

/** Returns the text of the service, which ends at once where the gateway's HAProxy is the machine's own. */
export function textOfRenewalService(tree: string): string {
  return `[Unit]
Description=Tijolo: renew the gateway's HAProxy
Documentation=file:${tree}/LICENSE
After=network-online.target
Wants=network-online.target

[Service]
Type=oneshot
Slice=${slice}
Environment=TIJOLO_TOOLS_DIRECTORY=${places.tools}
ExecStart=${tree}/bin/node ${tree}/central/gateway/src/prepare.js --renew
TimeoutStartSec=30min
UMask=0077
Nice=10
ProtectSystem=strict
ReadWritePaths=-${places.tools}
ProtectHome=yes
PrivateTmp=yes
NoNewPrivileges=yes
`;
}

export const textOfRenewalTimer = `[Unit]
Description=Tijolo: renew the gateway's HAProxy daily

[Timer]
OnCalendar=daily
RandomizedDelaySec=6h
Persistent=yes

[Install]
WantedBy=timers.target
`;

/** Writes both units and has the timer run, also at each boot. Resolves with null where all is as it should be. */
export async function renewDaily(tree: string): Promise<Undo | null> {
  const wasThere = existsSync(join(places.units, renewalTimer));
  const undos: Undo[] = [];
  const undoAll = async () => {
    for (const undo of undos.toReversed()) await undo();
    if (wasThere) await startTimer();
  };
  try {
    for (const [unit, text] of [
      [renewalService, textOfRenewalService(tree)],
      [renewalTimer, textOfRenewalTimer],
    ] as const) {
      const undo = await writeUnit(unit, text);
      if (undo !== null) undos.push(undo);
    }
    if (undos.length === 0 && (await isTimerOn())) return null;
    await startTimer();
  } catch (error) {
    await undoAll();
    throw error;
  }
  return undoAll;
}

/** True while the timer runs, and will after the next boot. */
export async function isTimerOn(): Promise<boolean> {
  return (
    (await succeeds(["systemctl", "is-active", "--quiet", renewalTimer])) &&
    (await succeeds(["systemctl", "is-enabled", "--quiet", renewalTimer]))
  );
}

async function startTimer(): Promise<void> {
  await runProgram(["systemctl", "enable", "--quiet", renewalTimer]);
  await runProgram(["systemctl", "restart", renewalTimer]);
}

/** Ends the timer, and a renewal that is under way, and removes both units and what was fetched. */
export async function endRenewal(): Promise<void> {
  const okCodes = [0, 1, 5];
  await runProgram(["systemctl", "disable", "--quiet", "--now", renewalTimer], { okCodes });
  await runProgram(["systemctl", "stop", renewalService], { okCodes });
  for (const unit of [renewalTimer, renewalService]) await rm(join(places.units, unit), { force: true });
  await runProgram(["systemctl", "daemon-reload"]);
  await rm(places.tools, { recursive: true, force: true });
}
