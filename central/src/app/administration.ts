/** What an operator may do, as the admin API and the first start call it. */

import type { Administration } from "@tijolo/protocol";
import { hasOperator, insertOperator } from "../store/tables/account.ts";
import { transact } from "../store/store.ts";
import type { HostLink } from "./hosts/host-link.ts";
import { createAccount, findAccounts, listAccounts } from "./accounts/account.ts";
import { cancelBetaEnd, endBeta } from "./accounts/beta-end.ts";
import type { Actor } from "./identity/caller.ts";
import type { AppContext } from "./context.ts";
import { createJoinToken, listHosts, revokeHost, setHostMemory } from "./hosts/host.ts";
import { getHostView } from "./hosts/host-view.ts";
import { adoptOrphan, listOrphans, removeOrphan } from "./hosts/orphan.ts";
import { listImages, pruneImages, pullImages } from "./images/host-images.ts";
import { setImage, unsetImage } from "./images/image-override.ts";
import { forgetVariables } from "./projects/forget-variables.ts";
import { createInvitation, createPasswordLink } from "./people/invitation.ts";
import { createKeyFor } from "./identity/key.ts";
import { newId } from "./new-id.ts";
import { changePlan } from "./accounts/plan-change.ts";
import { hashSecret, makeSecret } from "./identity/secret.ts";
import { writePrivateFile } from "./secrets/private-file.ts";
import { resumeAccount, suspendAccount } from "./accounts/suspension.ts";
import { endTwoFactorFor } from "./people/two-factor.ts";

/** What each operator may do, in the operator's name. */
export function createAdministration(
  app: AppContext,
  link: Pick<HostLink, "disconnect" | "ask">,
): (operator: Actor) => Administration {
  return (operator) => ({
    createJoinToken: (input) => createJoinToken(app, input?.memoryMb),
    setHostMemory: (input) => setHostMemory(app, input),
    listHosts: () => listHosts(app),
    getHost: (input, signal) => getHostView(app, link, input, signal),
    async revokeHost(hostId) {
      await revokeHost(app, hostId);
      link.disconnect(hostId);
    },
    createAccount: (input) => createAccount(app, input),
    listAccounts: () => listAccounts(app),
    findAccounts: (reference) => findAccounts(app, reference),
    changePlan: (input) => changePlan(app, operator, input),
    suspendAccount: (input) => suspendAccount(app, operator, input),
    resumeAccount: (accountId) => resumeAccount(app, operator, accountId),
    endBeta: (input) => endBeta(app, operator, input),
    cancelBetaEnd: (accountId) => cancelBetaEnd(app, operator, accountId),
    createInvitation: (input) => createInvitation(app, input),
    createPasswordLink: (input) => createPasswordLink(app, operator, input),
    endTwoFactor: (accountId) => endTwoFactorFor(app, operator, accountId),
    listPlans: () => ({ plans: [...app.plans.values()], limits: app.limits }),
    listMasterKeys: () => app.masterKeys.status(),
    rotateMasterKey: () => app.masterKeys.rotate(),
    forgetVariables: (projectId) => forgetVariables(app, operator, projectId),
    listOrphans: (input, signal) => listOrphans(app, link, input, signal),
    adoptOrphan: (input, signal) => adoptOrphan(app, link, operator, input, signal),
    removeOrphan: (input, signal) => removeOrphan(app, link, input, signal),
    listImages: (input, signal) => listImages(app, link, input, signal),
    pullImages: (input, signal) => pullImages(app, link, input, signal),
    pruneImages: (input, signal) => pruneImages(app, link, input, signal),
    setImage: (input) => setImage(app, operator, input),
    unsetImage: (input) => unsetImage(app, operator, input),
    createKey: (input) => createKeyFor(app, operator, input),
  });
}

/**
 * Makes the first operator and leaves the token in a file that only root can read, for whoever started
 * central to take. So the first administrator is whoever owns the machine, not whoever comes first.
 */
export async function ensureFirstOperator(app: AppContext, bootstrapFile: string): Promise<void> {
  if (await hasOperator(app.db)) return;
  const token = makeSecret("tjo_", app.random);
  await writePrivateFile(bootstrapFile, `${token}\n`);
  await transact(app.db, (tx) =>
    insertOperator(tx, {
      id: newId(app),
      name: "first operator",
      tokenHash: hashSecret(token),
      createdAt: app.clock.now(),
    }),
  );
  app.logger.info({ bootstrapFile }, "made the first operator; the token is in the bootstrap file");
}
