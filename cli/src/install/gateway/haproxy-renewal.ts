/**
 * The timer that renews a HAProxy which was fetched, as on Debian 12: the gateway's own unit may not write programs,
 * and Debian's updates of the machine do not reach that tree.
 */

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { gatewayFiles, places } from "../places.ts";
import { runProgram } from "../run-program.ts";
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
Environment=TIJOLO_DATA_DIRECTORY=${gatewayFiles.data}
EnvironmentFile=-${gatewayFiles.settings}
ExecStart=${tree}/bin/node ${tree}/central/gateway/src/prepare.js --renew
TimeoutStartSec=30min
UMask=0077
Nice=10
ProtectHome=yes
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

/** Writes both units and starts the timer, also at each boot. Resolves with null where they are as they should be. */
export async function renewDaily(tree: string): Promise<Undo | null> {
  const wasThere = existsSync(join(places.units, renewalTimer));
  const service = await writeUnit(renewalService, textOfRenewalService(tree));
  const timer = await writeUnit(renewalTimer, textOfRenewalTimer);
  if (service === null && timer === null) return null;
  await startTimer();
  return async () => {
    await timer?.();
    await service?.();
    if (wasThere) await startTimer();
  };
}

async function startTimer(): Promise<void> {
  await runProgram(["systemctl", "enable", "--quiet", "--now", renewalTimer]);
}

/** Ends the timer and removes both units. */
export async function endRenewal(): Promise<void> {
  await runProgram(["systemctl", "disable", "--quiet", "--now", renewalTimer], { okCodes: [0, 1, 5] });
  for (const unit of [renewalTimer, renewalService]) await rm(join(places.units, unit), { force: true });
  await runProgram(["systemctl", "daemon-reload"]);
}
