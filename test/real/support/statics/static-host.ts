/** A host's server of static sites, real and alone: nginx in a namespace of its own, and sites of the test's. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openCgroups } from "../../../../agent/src/host/cgroups/cgroup-detect.ts";
import type { Cgroups } from "../../../../agent/src/host/cgroups/cgroup.ts";
import { serviceGroup } from "../../../../agent/src/host/cgroups/service-group.ts";
import { exec } from "../../../../agent/src/host/exec.ts";
import { instanceNames, staticsSerial } from "../../../../agent/src/network/instance-names.ts";
import { namespacePath } from "../../../../agent/src/network/namespace.ts";
import { compressSite } from "../../../../agent/src/sites/compress-site.ts";
import { findNginx } from "../../../../agent/src/statics/find-nginx.ts";
import type { StaticSite } from "../../../../agent/src/statics/site-tree.ts";
import { StaticSites } from "../../../../agent/src/statics/static-sites.ts";
import { projectIdOf } from "../../../gateway/haproxy-fixture.ts";
import { until } from "../../../support/until.ts";
import { isSystemd, unitName } from "../host/container-host.ts";
import { removeDead } from "../host/remove-dead.ts";

export interface StaticAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
  bytes: Buffer;
}

interface Identity {
  directory: string;
  /** The process after which its parts in the kernel are called. */
  ownerPid: number;
}

function nameOf(ownerPid: number): string {
  return `test-statics-${ownerPid}`;
}

export class StaticHost implements AsyncDisposable {
  readonly directory: string;
  readonly cgroups: Cgroups;
  readonly address: string;
  /** Projects of which nginx has begun to serve the files, in order. */
  readonly served: string[] = [];
  /** Warnings of the agent. */
  readonly warnings: string[] = [];
  readonly #ownerPid: number;
  readonly #namespace: { interface: string; name: string; address: string };
  sites!: StaticSites;

  private constructor({ directory, ownerPid }: Identity, cgroups: Cgroups) {
    this.directory = directory;
    this.cgroups = cgroups;
    this.#ownerPid = ownerPid;
    this.address = `10.231.${40 + (ownerPid % 8)}.${(ownerPid % 200) + 20}`;
    const names = instanceNames(nameOf(ownerPid));
    this.#namespace = {
      interface: `${names.interfacePrefix}${staticsSerial}`,
      name: `${names.namespacePrefix}${staticsSerial}`,
      address: this.address,
    };
  }

  static async create(): Promise<StaticHost> {
    await removeDead();
    const directory = await mkdtemp(join(tmpdir(), "tijolo-statics-"));
    const host = await StaticHost.#of({ directory, ownerPid: process.pid });
    await host.open();
    return host;
  }

  /** Serves a site as another process does, which is killed at some moment; prints before it begins. */
  static async serveForever(identity: Identity, site: StaticSite): Promise<void> {
    const host = await StaticHost.#of(identity);
    console.log("begins");
    await host.open();
    await host.sites.serve(projectIdOf("one"), site);
    setInterval(() => {}, 60_000);
  }

  static async #of(identity: Identity): Promise<StaticHost> {
    return new StaticHost(identity, await openCgroups(`tijolo-${nameOf(identity.ownerPid)}`));
  }

  /** Returns what another process needs for {@link serveForever}. */
  handOver(): Identity {
    return { directory: this.directory, ownerPid: this.#ownerPid };
  }

  /** Opens the server as an agent does, also as the next one of an earlier agent. */
  async open(change: Partial<Parameters<typeof StaticSites.open>[0]> = {}): Promise<void> {
    this.sites = await StaticSites.open({
      directory: join(this.directory, "statics"),
      namespace: this.#namespace,
      group: serviceGroup(this.cgroups, "statics"),
      findNginx: () => findNginx({ toolsDirectory: join(this.directory, "tools"), onFetch: () => {} }),
      onServed: (projectId) => this.served.push(projectId),
      logger: { info() {}, warn: (...words: unknown[]) => void this.warnings.push(String(words[1])) },
      ...change,
    });
  }

  /** Writes the files of a version, and returns it as it would lie on a host. */
  async version(
    name: string,
    files: Readonly<Record<string, string>>,
    marks: Partial<Pick<StaticSite, "isApp" | "isWhole">> = {},
  ): Promise<StaticSite> {
    const [site, compressed] = [join(this.directory, name, "site"), join(this.directory, name, "compressed")];
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(site, path)), { recursive: true, mode: 0o700 });
      await writeFile(join(site, path), text, { mode: 0o600 });
    }
    await compressSite(site, compressed, { signal: new AbortController().signal });
    return { files: site, compressed, isApp: false, isWhole: false, ...marks };
  }

  /** Serves files under a name, and resolves once visits get them. */
  async serve(name: string, site: StaticSite): Promise<void> {
    const projectId = projectIdOf(name);
    await this.sites.serve(projectId, site);
    await until(() => this.sites.addressOf(projectId) !== undefined, { timeoutMs: 60_000 });
    // The first packets to a new namespace may be lost, for which a gateway asks elsewhere.
    await this.get(name);
  }

  /** Asks nginx as a gateway does; `path` is sent as it is. */
  async get(
    name: string,
    path = "/",
    { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<StaticAnswer> {
    const named = { "x-tijolo-site": projectIdOf(name), host: `${name}.localhost`, ...headers };
    const sent = request({ host: this.address, port: 80, path, method, agent: false, headers: named });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    return { status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString(), bytes };
  }

  /** Ends all of it, and fails where something is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.sites.destroy();
    const left = {
      processes: await this.cgroups.pids("").catch(() => []),
      namespace: existsSync(namespacePath(this.#namespace.name)),
      link: existsSync(`/sys/class/net/${this.#namespace.interface}`),
      mounts: (await readFile("/proc/self/mounts", "utf8")).includes(this.directory),
    };
    if (isSystemd()) await exec(["systemctl", "stop", unitName(nameOf(this.#ownerPid))]);
    else await this.cgroups.remove("");
    await rm(this.directory, { recursive: true, force: true });
    assert.deepEqual(left, { processes: [], namespace: false, link: false, mounts: false });
  }
}
