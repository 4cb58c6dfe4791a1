/** Starts the ways to a file of a static site that are compared. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectIdOf } from "../../gateway/haproxy-fixture.ts";
import { StaticHost } from "../../real/support/statics/static-host.ts";
import { cpuSecondsOf } from "../process-figures.ts";
import { startCaddy, startGateway, type Proxy } from "./proxies.ts";

const page = "x".repeat(4_096);

/** Starts nginx as a host's agent runs it, alone and behind a gateway, and the way to a host elsewhere. */
export async function startStaticWays(
  directory: string,
  resources: AsyncDisposableStack,
): Promise<{ near: Proxy; nginx: Proxy; far: Proxy }> {
  const host = resources.use(await StaticHost.create());
  const site = await host.version("bench", { "index.html": page });
  await host.serve("bench", site);
  const pids = await host.cgroups.pids("statics");
  await moveBeside(pids);
  const cpuOfNginx = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid).own, 0);
  const { address } = host;
  const nginx: Proxy = {
    address,
    httpPort: 80,
    httpsPort: 0,
    header: `x-tijolo-site: ${projectIdOf("bench")}`,
    cpuSeconds: cpuOfNginx,
  };
  const way = { origin: 0, certificates: 0 };
  const gateway = await startGateway(
    await mkdtemp(join(directory, "n-")),
    { ...way, near: { address, port: 80, runNumber: 1, isStatic: true } },
    resources,
  );
  const near = { ...gateway, cpuSeconds: () => gateway.cpuSeconds() + cpuOfNginx() };
  return { near, nginx, far: await startFar(directory, site.files, resources) };
}

/** Moves processes to where this one and all others of the bench are: a group has its own share of a busy machine. */
async function moveBeside(pids: readonly number[]): Promise<void> {
  for (const line of (await readFile("/proc/self/cgroup", "utf8")).trim().split("\n")) {
    const [, controllers = "", path = ""] = line.split(":");
    const file = join("/sys/fs/cgroup", controllers, path, "cgroup.procs");
    if (controllers !== "" && controllers !== "cpu") continue;
    for (const pid of pids) await writeFile(file, String(pid)).catch(() => {}); // another hierarchy counts
  }
}

/** Starts the gateway before central's pages server and an agent's ingress, which share one process. */
async function startFar(directory: string, files: string, resources: AsyncDisposableStack): Promise<Proxy> {
  const program = join(import.meta.dirname, "far-host.ts");
  const child = spawn(process.execPath, [program, files], { stdio: ["pipe", "pipe", "inherit"] });
  resources.defer(async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
  });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const gateway = await startGateway(
    await mkdtemp(join(directory, "f-")),
    { origin: 0, certificates: 0, near: null, pagesPort: Number(port) },
    resources,
  );
  const { pid = 0 } = child;
  return { ...gateway, cpuSeconds: () => gateway.cpuSeconds() + cpuSecondsOf(pid).own };
}

/** Starts Caddy as a server of files. */
export async function startCaddyFiles(directory: string, resources: AsyncDisposableStack): Promise<Proxy> {
  const own = await mkdtemp(join(directory, "c-"));
  await mkdir(join(own, "files"));
  await writeFile(join(own, "files", "index.html"), page);
  return startCaddy(own, `root * ${join(own, "files")}\n  file_server`, resources);
}
