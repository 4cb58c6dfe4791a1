/**
 * What the tests know of a program that nobody here wrote: how its user deploys it, and what it is there for.
 */

import type { Variables } from "@tijolo/protocol";
import type { TestAccount } from "../../../support/operator.ts";
import type { DeployedProject, Upload } from "../deployed-project.ts";
import type { Asked } from "./ask.ts";

export interface OpenSourceProgram {
  name: string;
  /** What its user calls it. */
  kind: string;
  /** What its user has to say beyond the name of the program and its start command; stands in the table. */
  took: string;
  version(): Promise<string>;
  /** Of a site. */
  subdomain?: string;
  /** The zip that its user sends. */
  upload(): Promise<Upload>;
  /** Set before the first start. */
  variables?: Variables;
  /** What the site answers once it serves; of a bot: whether it does its work yet. */
  ready: { path: string; status: number } | (() => Promise<boolean>);
  /** Does the program's work and leaves data there. */
  use(deployed: DeployedProgram): Promise<void>;
  /** The data of {@link OpenSourceProgram.use} is still there, and the program still works. */
  check(deployed: DeployedProgram): Promise<void>;
}

/** A program as its user reaches it. */
export interface DeployedProgram {
  project: DeployedProject;
  account: TestAccount;
  gatewayPort: number;
  /** Asks its site through the gateway; a bot has none. */
  ask: (path: string, request?: Asked) => Promise<Response>;
}
