/** Puts projects on hosts that are separate machines, and a gateway on one of them. */

import { join } from "node:path";
import { readFile, writeFile } from "node:fs/promises";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { haproxyDirectory } from "../../support/machine/haproxy.ts";
import { Program } from "../support/cluster/program.ts";
import type { RealCluster } from "../support/cluster/real-cluster.ts";
import type { RealHost } from "../support/cluster/real-host.ts";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import type { Machine } from "./machines.ts";

/** Deploys until one of them is on the host; the others are deleted. A site's subdomain gets a number. */
export async function deployOn(
  cluster: RealCluster,
  owner: TestAccount,
  { host, upload }: { host: RealHost; upload: Upload },
): Promise<DeployedProject> {
  const elsewhere: DeployedProject[] = [];
  try {
    for (let attempt = 0; attempt < 12; attempt++) {
      const project = await DeployedProject.create(owner.client, numbered(upload, attempt));
      await project.is("running");
      // A static site has no process that its host could be asked for.
      const { projects } = await cluster.operator.client().getHost({ host: host.name });
      if (projects.some(({ id }) => id === project.id)) return project;
      elsewhere.push(project);
    }
    throw new Error(`no project came to ${host.name}`);
  } finally {
    for (const { id } of elsewhere) await cluster.operator.client().deleteProject({ id });
  }
}

function numbered(upload: Upload, attempt: number): Upload {
  const { subdomain, ...config } = upload.config ?? {};
  if (typeof subdomain !== "string") return upload;
  return { ...upload, config: { ...config, subdomain: `${subdomain}-${attempt}` } };
}

export interface FarGateway extends AsyncDisposable {
  program: Program;
  /** Returns the way that HAProxy takes to the hostname (`central/gateway/src/routes/map-value.ts`), as `far-zip`. */
  wayTo(hostname: string): Promise<string | undefined>;
}

/** Starts a gateway on the machine, where it serves HTTP at port 80; its HAProxy ends with it. */
export async function startGatewayOn(
  { within }: Machine,
  cluster: RealCluster,
  directory: string,
): Promise<FarGateway> {
  const token = join(directory, "gateway-token");
  await writeFile(token, (await cluster.operator.client().createGatewayToken({})).token, { mode: 0o600 });
  const dataDirectory = join(directory, "gw");
  const program = new Program({
    name: "gateway",
    logFile: join(directory, "gateway.log"),
    within,
    settings: {
      TIJOLO_CENTRAL_URL: cluster.centralUrl,
      TIJOLO_JOIN_TOKEN_FILE: token,
      TIJOLO_DATA_DIRECTORY: dataDirectory,
      TIJOLO_GATEWAY_NAME: "gateway-1",
      TIJOLO_HTTP_LISTEN: "0.0.0.0:80",
      TIJOLO_HTTPS_LISTEN: "off",
      TIJOLO_TOOLS_DIRECTORY: haproxyDirectory,
      TIJOLO_STOPS_HAPROXY: "yes",
    },
  });
  await program.start();
  const wayTo = async (hostname: string) => {
    const lines = (await readFile(join(dataDirectory, "run", "routes.map"), "utf8")).split("\n");
    return lines
      .find((line) => line.startsWith(`${hostname} `))
      ?.slice(hostname.length + 1)
      .split("|")[0];
  };
  return { program, wayTo, [Symbol.asyncDispose]: () => program.stop() };
}
