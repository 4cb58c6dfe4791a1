/** Reads and changes a project's environment variables over the API, answers checked by the contract. */

import assert from "node:assert/strict";
import type { OperationName, Variables } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../requests/api-request.ts";
import { assertContract } from "../requests/assert-contract.ts";
import { SimulatedProject } from "./simulated-project.ts";
import type { TestAccount, TestCluster } from "../cluster/test-cluster.ts";

interface VariablesAnswer {
  variables: Variables;
  isRestartRequired: boolean;
}

const operationNames = {
  GET: "listVariables",
  PUT: "setVariables",
  PATCH: "changeVariables",
} as const satisfies Record<string, OperationName>;

/** Handles one project's variables, as its owner does. */
export class VariablesOf {
  readonly project: SimulatedProject;
  readonly #cluster: TestCluster;
  readonly #account: TestAccount;

  constructor(cluster: TestCluster, account: TestAccount, project: SimulatedProject) {
    this.#cluster = cluster;
    this.#account = account;
    this.project = project;
  }

  async ask(method: keyof typeof operationNames, body?: unknown): Promise<ApiAnswer> {
    const answer = await apiRequest(this.#cluster.centralUrl, {
      method,
      path: `/api/projects/${this.project.id}/variables`,
      token: this.#account.key,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    assertContract(operationNames[method], answer);
    return answer;
  }

  async list(): Promise<Variables> {
    const answer = await this.ask("GET");
    assert.equal(answer.status, 200, answer.text);
    return (answer.json as { variables: Variables }).variables;
  }

  async set(variables: Variables): Promise<VariablesAnswer> {
    return this.#changed(await this.ask("PUT", { variables }));
  }

  async change(variables: Record<string, string | null>): Promise<VariablesAnswer> {
    return this.#changed(await this.ask("PATCH", { variables }));
  }

  /** Returns the variables that the newest run, or install step, was given. */
  given(step: "run" | "install" = "run"): Record<string, string> {
    return this.#cluster.host.machine.environments.get(`${step} ${this.project.id}`) ?? {};
  }

  #changed(answer: ApiAnswer): VariablesAnswer {
    assert.equal(answer.status, 200, answer.text);
    return answer.json as VariablesAnswer;
  }
}

/** Returns a new project's variables, when the project runs, or is stopped where it is not to start. */
export async function newVariables(
  cluster: TestCluster,
  account: TestAccount,
  {
    command = "sim run",
    start = true,
    config = {},
  }: { command?: string; start?: boolean; config?: object } = {},
): Promise<VariablesOf> {
  const project = await SimulatedProject.create(account, command, { start, config });
  await project.is(start ? "running" : "stopped");
  return new VariablesOf(cluster, account, project);
}
