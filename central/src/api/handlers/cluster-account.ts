/** Handles the operators' operations on accounts, between the edge and the rules. */

import { createAccount, getAccount, listAccounts } from "../../app/accounts/account.ts";
import { cancelBetaEnd, endBeta } from "../../app/accounts/beta-end.ts";
import { changePlan } from "../../app/accounts/plan-change.ts";
import { resumeAccount, suspendAccount } from "../../app/accounts/suspension.ts";
import type { AppContext } from "../../app/context.ts";
import { createKeyFor } from "../../app/people/key.ts";
import { createInvitation, createPasswordLink } from "../../app/people/invitation.ts";
import { endTwoFactorFor } from "../../app/people/two-factor.ts";
import type { Handlers } from "./handlers.ts";

export function clusterAccountHandlers(app: AppContext) {
  return {
    listAccounts: ({ query }) => listAccounts(app, query),
    createAccount: async ({ principal, body }) => ({
      account: await createAccount(app, principal.actor, body),
    }),
    getClusterAccount: async ({ params }) => ({ account: await getAccount(app, params.accountId) }),
    changePlan: ({ principal, params, body }) => changePlan(app, principal.actor, { ...params, ...body }),
    suspendAccount: ({ principal, params, body }) =>
      suspendAccount(app, principal.actor, { ...params, ...body }),
    resumeAccount: ({ principal, params }) => resumeAccount(app, principal.actor, params.accountId),
    endBeta: async ({ principal, params, body }) => ({
      account: await endBeta(app, principal.actor, { ...params, ...body }),
    }),
    cancelBetaEnd: async ({ principal, params }) => ({
      account: await cancelBetaEnd(app, principal.actor, params.accountId),
    }),
    createAccountKey: ({ principal, params, body }) =>
      createKeyFor(app, principal.actor, { ...params, ...body }),
    endAccountTwoFactor: ({ principal, params }) => endTwoFactorFor(app, principal.actor, params.accountId),
    createPasswordLink: async ({ principal, body }) => ({
      link: await createPasswordLink(app, principal.actor, body),
    }),
    createInvitation: async ({ principal, body }) => ({
      invitation: await createInvitation(app, principal.actor, body),
    }),
    listPlans: async () => ({ plans: [...app.plans.values()], limits: app.limits }),
  } satisfies Partial<Handlers>;
}
