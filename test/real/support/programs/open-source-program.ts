/** Defines what the tests know of a program that nobody here wrote: how it is deployed, and what it does. */

import type { Variables } from "@tijolo/protocol";
import type { TestAccount } from "../../../support/cluster/operator.ts";
import type { DeployedProject, Upload } from "../projects/deployed-project.ts";
import type { Asked } from "./ask.ts";

export interface OpenSourceProgram {
  name: string;
  /** Kind of program, in its user's words. */
  kind: string;
  /** Settings that its user needs beyond the program's name and its start command; shown in the table. */
  took: string;
  version(): Promise<string>;
  /** Subdomain of a site. */
  subdomain?: string;
  /** Returns the zip that its user sends. */
  upload(): Promise<Upload>;
  /** Set before the first start. */
  variables?: Variables;
  /** Response of the site once it serves; for a bot, a function that tells whether it does its work yet. */
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
