/**
 * Changes a map of HAProxy and is killed on the way: `haproxy-map.test.ts` runs it with the API's socket, the map's
 * file, a file with the entries as JSON, and how many commands that change something it may still send.
 */

import { readFile } from "node:fs/promises";
import { HaproxyMap } from "../../central/gateway/src/haproxy/haproxy-map.ts";
import { RuntimeApi } from "../../central/gateway/src/haproxy/runtime-api.ts";

const [, , socketPath = "", file = "", entriesFile = "", commands = ""] = process.argv;
let left = Number(commands);

class KilledApi extends RuntimeApi {
  override async ask(command: string, timeoutMs?: number): Promise<string> {
    if (!command.startsWith("show") && left-- <= 0) process.kill(process.pid, "SIGKILL");
    return super.ask(command, timeoutMs);
  }
}

const entries = new Map(JSON.parse(await readFile(entriesFile, "utf8")) as [string, string][]);
const map = new HaproxyMap({ file, api: new KilledApi(socketPath), logger: { warn() {} } });
await map.apply(() => entries);
