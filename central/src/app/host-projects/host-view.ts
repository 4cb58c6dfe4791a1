/**
 * Builds one host as an operator sees it: what central knows, and what the host itself reports of its limits
 * when it is connected.
 */

import {
  AppError,
  type HostMachine,
  type HostProject,
  type HostProjectState,
  type HostView,
} from "@tijolo/protocol";
import { findAccount, type AccountRow } from "../../store/tables/accounts/account.ts";
import type { HostWithLoad } from "../../store/tables/hosts/host.ts";
import { listProjectsOfHost, type ProjectRow } from "../../store/tables/projects/project.ts";
import { reservedMemoryOf } from "../../store/tables/projects/reserved-memory.ts";
import { planOf } from "../accounts/plan-of.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { standingOf } from "../projects/project-view.ts";
import { chooseOneHost } from "../hosts/choose-hosts.ts";
import { OlderAgentError, type HostLink } from "../hosts/host-link.ts";
import { freeMemoryMb, hostReserveMb, viewHost } from "../hosts/host.ts";

type StateLink = Pick<HostLink, "ask">;

interface Told {
  answer: HostView["answer"];
  machine: HostMachine | null;
  projects: ReadonlyMap<string, HostProjectState>;
}

export async function getHostView(
  app: HostProjectsContext,
  link: StateLink,
  wanted: string,
  signal: AbortSignal,
): Promise<HostView> {
  const host = await chooseOneHost(app, wanted);
  const [told, rows] = await Promise.all([ask(link, host, signal), listProjectsOfHost(app.db, host.id)]);
  const accounts = await accountsOf(app, rows);
  const projects = rows.flatMap((row) => {
    const account = accounts.get(row.accountId);
    return account === undefined ? [] : [viewHostProject(app, { row, account, told })]; // deleted meanwhile
  });
  return {
    host: viewHost(app, host),
    memory: host.resources === null ? null : { keptBackMb: hostReserveMb, freeMb: freeMemoryMb(host) },
    promisedDiskMb: projects.reduce((sum, { planDiskMb }) => sum + planDiskMb, 0),
    usage: app.hostStates.isConnected(host.id) ? (app.usage.findHost(host.id) ?? null) : null,
    answer: told.answer,
    machine: told.machine,
    projects,
  };
}

async function ask(link: StateLink, { id }: HostWithLoad, signal: AbortSignal): Promise<Told> {
  const projects = new Map<string, HostProjectState>();
  let machine: HostMachine | null = null;
  try {
    for await (const items of link.ask(id, { kind: "describe-host" }, signal)) {
      for (const item of items) {
        if (item.kind === "host-machine") machine = item.machine;
        else projects.set(item.project.projectId, item.project);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    const answer = error instanceof OlderAgentError ? "older_agent" : "away";
    return { answer, machine: null, projects: new Map() };
  }
  signal.throwIfAborted();
  return { answer: machine === null ? "older_agent" : "complete", machine, projects };
}

async function accountsOf(
  { db }: HostProjectsContext,
  rows: readonly ProjectRow[],
): Promise<ReadonlyMap<string, AccountRow>> {
  const found = new Map<string, AccountRow>();
  for (const id of new Set(rows.map(({ accountId }) => accountId))) {
    const account = await findAccount(db, id);
    if (account !== undefined) found.set(id, account);
  }
  return found;
}

function viewHostProject(
  app: HostProjectsContext,
  { row, account, told }: { row: ProjectRow; account: AccountRow; told: Told },
): HostProject {
  const plan = planOf(app, account.plan);
  const { status, error } = standingOf(row);
  const state = told.projects.get(row.id);
  const usage = status === "running" && told.answer !== "away" ? app.usage.find(row.id) : undefined;
  return {
    id: row.id,
    name: row.name,
    account: { id: account.id, name: account.name, plan: account.plan },
    status,
    errorCode: error?.code ?? null,
    reservedMemoryMb: reservedMemoryOf(row),
    usage:
      usage === undefined
        ? null
        : { memoryMb: usage.memoryMb, cpuPercent: usage.cpuPercent, pids: state?.pids ?? null },
    limits: state?.limits ?? null,
    disk: state?.disk ?? null,
    planDiskMb: plan.diskMbPerProject,
  };
}
