/** Says what an operator's role does not allow, before anything is asked of the server. */

import type { OperatorRole } from "@tijolo/protocol/client";
import { useSession } from "../../api/session.ts";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { useTexts } from "../../texts/in-both.ts";

/** Each includes those before it. */
export const roles: readonly OperatorRole[] = ["viewer", "operator", "owner"];

/** Returns the reason why somebody may not do what needs a role; undefined when it is allowed. */
export function useWhyNot(): (needed?: OperatorRole) => string | undefined {
  const texts = useTexts(clusterTexts);
  const held = useSession()?.person.operatorRole ?? "viewer";
  return (needed = "operator") =>
    roles.indexOf(held) >= roles.indexOf(needed)
      ? undefined
      : texts.whyNot(texts.roles[needed], texts.roles[held]);
}
