/** Sets up people who are operators: signed in to the panel, with a role, a second factor and a confirmation. */

import type { OperatorRole } from "@tijolo/protocol";
import type { TestCluster } from "../cluster/test-cluster.ts";
import { withTwoFactor, type TwoFactorPerson } from "./two-factor.ts";

/** A person who may do what the role allows; the sign-in was the confirmation. */
export async function operatorPerson(
  cluster: TestCluster,
  { role = "owner" }: { role?: OperatorRole } = {},
): Promise<TwoFactorPerson> {
  const person = await withTwoFactor(cluster);
  await cluster.admin.addOperatorPerson({ body: { email: person.ana.email, role } });
  return person;
}
