/** Describes this host's hardware when an operator asks, by a process without rights that lives for seconds. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { hostHardware, type HostHardware, type HostItem } from "@tijolo/protocol";
import { exec } from "../host/exec.ts";

const program = join(import.meta.dirname, "hardware-program.ts");
/** Several of the programs that it runs wait for devices; central gives up after 30 s. */
const timeoutMs = 20_000;

export async function* describeHardware(): AsyncGenerator<HostItem<"describe-hardware">[], void, undefined> {
  yield [{ kind: "host-hardware", hardware: await readHardware() }];
}

/** Runs the program and checks what it printed. Throws when it fails, or prints something else. */
export async function readHardware(): Promise<HostHardware> {
  const flags = ["--disable-warning=ExperimentalWarning", "--max-old-space-size=64"];
  const { stdout } = await exec([...withoutNewRights(), process.execPath, ...flags, program], {
    cwd: "/",
    timeoutMs,
  });
  return hostHardware.parse(JSON.parse(stdout));
}

/** Returns the prefix that keeps what the process starts from gaining rights, by setuid programs for example. */
function withoutNewRights(): string[] {
  return existsSync("/usr/bin/setpriv") ? ["/usr/bin/setpriv", "--no-new-privs", "--"] : [];
}
