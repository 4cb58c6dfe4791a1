/**
 * What is made of a project's view for all who ask, kept beside the row that it shows until one of its
 * sources is another.
 */

import type { Plan, Project, Usage } from "@tijolo/protocol";
import type { AccountRow } from "../../db/account.ts";
import type { ProjectRow } from "../../db/project.ts";
import { planOf } from "../accounts/plan-of.ts";
import type { AppContext } from "../context.ts";
import { usageOf, viewProject } from "./project-view.ts";
import { getRecentOwned } from "./project.ts";

interface Kept<Made> {
  plan: Plan;
  /** Null when the view shows none, whatever it is. */
  usage: Usage | null;
  made: Made;
}

/** A row is never changed, but replaced: what is kept of it ends with it. */
export class RecentViews<Made> {
  readonly #app: AppContext;
  readonly #make: (project: Project) => Made;
  readonly #kept = new WeakMap<Readonly<ProjectRow>, Kept<Made>>();

  /** `make` is called once for each view. */
  constructor(app: AppContext, make: (project: Project) => Made) {
    this.#app = app;
    this.#make = make;
  }

  /** Of the project as of the last commit. Throws `not_found` as {@link getRecentOwned}. */
  async get(account: AccountRow, id: string): Promise<Made> {
    const row = await getRecentOwned(this.#app, account, id);
    const plan = planOf(this.#app, account.plan);
    const kept = this.#kept.get(row);
    if (kept?.plan === plan && (kept.usage === null || kept.usage === usageOf(this.#app, row)))
      return kept.made;
    const project = viewProject(this.#app, plan, row);
    const made = this.#make(project);
    this.#kept.set(row, { plan, usage: project.usage, made });
    return made;
  }
}
