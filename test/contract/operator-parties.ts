/** Sets up every kind of panel session that a person with an operator's role may call in. */

import type { OperatorRole } from "@tijolo/protocol";
import type { TestCluster } from "../support/cluster/test-cluster.ts";
import { operatorPerson } from "../support/people/operator-person.ts";
import { PanelSession } from "../support/people/panel.ts";

export interface OperatorSession {
  title: string;
  panel: PanelSession;
  role: OperatorRole;
  /** What the session lacks. */
  lacks?: "second factor" | "confirmation" | "own origin";
}

export async function operatorSessions(cluster: TestCluster): Promise<OperatorSession[]> {
  const sessionOf = async (role: OperatorRole, lacks?: OperatorSession["lacks"]) => {
    const { ana: panel } = await operatorPerson(cluster, { role });
    return {
      title: `a session of a person: ${role}`,
      panel,
      role,
      ...(lacks === undefined ? {} : { lacks }),
    };
  };
  const unconfirmed = await sessionOf("owner", "confirmation");
  await cluster.central.app.db
    .updateTable("session")
    .set({ confirmed_at: cluster.clock.now() - 15 * 60_000 })
    .where("person_id", "=", (await personOf(cluster, unconfirmed.panel)).id)
    .execute();
  const oneFactor = await PanelSession.signUp(cluster);
  await cluster.admin.addOperatorPerson({ body: { email: oneFactor.email, role: "owner" } });
  const foreign = await sessionOf("owner", "own origin");
  foreign.panel.headers["sec-fetch-site"] = "cross-site";
  return [
    await sessionOf("viewer"),
    await sessionOf("operator"),
    await sessionOf("owner"),
    {
      title: "a person's session without a second factor",
      panel: oneFactor,
      role: "owner",
      lacks: "second factor",
    },
    { ...unconfirmed, title: "a person's session that was confirmed 15 minutes ago" },
    { ...foreign, title: "a person's session that another site's page uses" },
  ];
}

async function personOf(cluster: TestCluster, { email }: PanelSession): Promise<{ id: string }> {
  const { operators } = await cluster.admin.listOperators();
  const found = operators.find((operator) => operator.email === email);
  if (found === undefined) throw new Error(`${email} is no operator`);
  return found;
}
