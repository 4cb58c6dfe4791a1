/**
 * Makes timers of systemd that renew, each day, what the updates of the machine's packages do not reach: files of
 * Debian's packages that lie in folders of Tijolo's own.
 */

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { places, slice } from "./places.ts";
import { runProgram, succeeds } from "./run-program.ts";
import { inParts, type Undo } from "./steps.ts";
import { writeUnit } from "./write-unit.ts";

/** Describes a renewal. Its units are `tijolo-<name>.service` and `tijolo-<name>.timer`. */
export interface Renewal {
  name: "haproxy" | "countries";
  /** Names what is renewed, for people: "the gateway's HAProxy". */
  what: string;
  /** Command in systemd's notation, with an absolute path. */
  command: string;
  /** Directories that it may write. */
  writes: readonly string[];
  environment?: Readonly<Record<string, string>>;
}

type Named = Pick<Renewal, "name">;

export const serviceOf = ({ name }: Named): string => `tijolo-${name}.service`;
export const timerOf = ({ name }: Named): string => `tijolo-${name}.timer`;

/** Returns the text of the service that renews once; `tree` is the release whose licence it names. */
export function textOfService({ what, command, writes, environment = {} }: Renewal, tree: string): string {
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${name}=${value}\n`);
  return `[Unit]
Description=Tijolo: renew ${what}
Documentation=file:${tree}/LICENSE
After=network-online.target
Wants=network-online.target

[Service]
Type=oneshot
Slice=${slice}
${variables.join("")}ExecStart=${command}
TimeoutStartSec=30min
UMask=0077
Nice=10
ProtectSystem=strict
ReadWritePaths=${writes.map((path) => `-${path}`).join(" ")}
ProtectHome=yes
PrivateTmp=yes
NoNewPrivileges=yes
`;
}

function textOfTimer({ what }: Renewal): string {
  return `[Unit]
Description=Tijolo: renew ${what} daily

[Timer]
OnCalendar=daily
RandomizedDelaySec=6h
Persistent=yes

[Install]
WantedBy=timers.target
`;
}

/** Writes both units and has the timer run, also at each boot. Resolves with null where all is as it should be. */
export function renewDaily(renewal: Renewal, tree: string): Promise<Undo | null> {
  const wasThere = existsSync(join(places.units, timerOf(renewal)));
  return inParts(async (note) => {
    const undoUnits = await writeUnits([
      [serviceOf(renewal), textOfService(renewal, tree)],
      [timerOf(renewal), textOfTimer(renewal)],
    ]);
    if (undoUnits === null && (await isRenewedDaily(renewal))) return;
    // The last noted is undone first: the timer starts again with the units that it had.
    note(async () => {
      if (wasThere) await startTimer(renewal);
    });
    note(undoUnits);
    await startTimer(renewal);
  });
}

function writeUnits(units: readonly (readonly [name: string, text: string])[]): Promise<Undo | null> {
  return inParts(async (note) => {
    for (const [name, text] of units) note(await writeUnit(name, text));
  });
}

/** True while the timer runs, and will after the next boot. */
export async function isRenewedDaily(renewal: Named): Promise<boolean> {
  return (
    (await succeeds(["systemctl", "is-active", "--quiet", timerOf(renewal)])) &&
    (await succeeds(["systemctl", "is-enabled", "--quiet", timerOf(renewal)]))
  );
}

/** True where the last renewal failed. */
export function hasFailed(renewal: Named): Promise<boolean> {
  return succeeds(["systemctl", "is-failed", "--quiet", serviceOf(renewal)]);
}

async function startTimer(renewal: Named): Promise<void> {
  await runProgram(["systemctl", "enable", "--quiet", timerOf(renewal)]);
  await runProgram(["systemctl", "restart", timerOf(renewal)]);
}

/** Ends the timer, and a renewal that is under way, and removes both units. */
export async function endRenewal(renewal: Named): Promise<void> {
  const okCodes = [0, 1, 5];
  const [timer, service] = [timerOf(renewal), serviceOf(renewal)];
  await runProgram(["systemctl", "disable", "--quiet", "--now", timer], { okCodes });
  await runProgram(["systemctl", "stop", service], { okCodes });
  for (const unit of [timer, service]) await rm(join(places.units, unit), { force: true });
  await runProgram(["systemctl", "daemon-reload"]);
}
