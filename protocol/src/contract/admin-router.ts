/** The operators' admin API: tRPC over HTTP at `/admin`, with an operator's bearer. */

import { initTRPC, TRPCError } from "@trpc/server";
import { administrationInput, type Administration } from "./administration.ts";
import { AppError } from "./app-error.ts";
import type { ErrorDefinition } from "./errors.ts";

/** Null for a caller without a valid operator's bearer. */
export interface AdminContext {
  administration: Administration | null;
}

const t = initTRPC.context<AdminContext>().create({
  // Outside production tRPC adds stack traces to its errors; they are nobody's business but the log's.
  isDev: false,
  // A stream that has nothing to say is not taken for dead on its way.
  jsonl: { pingMs: 10_000 },
  // A refusal carries its code and extra fields, as an error of the REST interface does.
  errorFormatter({ shape, error: { cause } }) {
    return cause instanceof AppError
      ? {
          ...shape,
          data: { ...shape.data, refusal: { code: cause.code, detail: cause.detail, ...cause.extra } },
        }
      : shape;
  },
});

/** Every procedure of this router is an operator's: there is no other kind. */
const operator = t.procedure
  .use(({ ctx, next }) => {
    if (ctx.administration === null)
      throw new TRPCError({ code: "UNAUTHORIZED", message: "An operator's token is needed." });
    return next({ ctx: { administration: ctx.administration } });
  })
  .use(async ({ next }) => {
    const result = await next();
    if (result.ok || !(result.error.cause instanceof AppError)) return result;
    const { cause } = result.error;
    throw new TRPCError({
      code: codeOfStatus(cause.status),
      message: String(cause.toBody("en")["message"]),
      cause,
    });
  });

export const adminRouter = t.router({
  createJoinToken: operator
    .input(administrationInput.createJoinToken)
    .mutation(({ ctx, input }) => ctx.administration.createJoinToken(input)),
  setHostMemory: operator
    .input(administrationInput.setHostMemory)
    .mutation(({ ctx, input }) => ctx.administration.setHostMemory(input)),
  listHosts: operator.query(({ ctx }) => ctx.administration.listHosts()),
  getHost: operator
    .input(administrationInput.getHost)
    .query(({ ctx, input, signal }) => ctx.administration.getHost(input, signal ?? AbortSignal.abort())),
  revokeHost: operator
    .input(administrationInput.revokeHost)
    .mutation(({ ctx, input }) => ctx.administration.revokeHost(input.hostId)),
  createAccount: operator
    .input(administrationInput.createAccount)
    .mutation(({ ctx, input }) => ctx.administration.createAccount(input)),
  listAccounts: operator.query(({ ctx }) => ctx.administration.listAccounts()),
  findAccounts: operator
    .input(administrationInput.findAccounts)
    .query(({ ctx, input }) => ctx.administration.findAccounts(input.reference)),
  createKey: operator
    .input(administrationInput.createKey)
    .mutation(({ ctx, input }) => ctx.administration.createKey(input)),
  changePlan: operator
    .input(administrationInput.changePlan)
    .mutation(({ ctx, input }) => ctx.administration.changePlan(input)),
  suspendAccount: operator
    .input(administrationInput.suspendAccount)
    .mutation(({ ctx, input }) => ctx.administration.suspendAccount(input)),
  resumeAccount: operator
    .input(administrationInput.resumeAccount)
    .mutation(({ ctx, input }) => ctx.administration.resumeAccount(input.accountId)),
  endBeta: operator
    .input(administrationInput.endBeta)
    .mutation(({ ctx, input }) => ctx.administration.endBeta(input)),
  cancelBetaEnd: operator
    .input(administrationInput.cancelBetaEnd)
    .mutation(({ ctx, input }) => ctx.administration.cancelBetaEnd(input.accountId)),
  createInvitation: operator
    .input(administrationInput.createInvitation)
    .mutation(({ ctx, input }) => ctx.administration.createInvitation(input)),
  createPasswordLink: operator
    .input(administrationInput.createPasswordLink)
    .mutation(({ ctx, input }) => ctx.administration.createPasswordLink(input)),
  endTwoFactor: operator
    .input(administrationInput.endTwoFactor)
    .mutation(({ ctx, input }) => ctx.administration.endTwoFactor(input.accountId)),
  listPlans: operator.query(({ ctx }) => ctx.administration.listPlans()),
  listMasterKeys: operator.query(({ ctx }) => ctx.administration.listMasterKeys()),
  rotateMasterKey: operator.mutation(({ ctx }) => ctx.administration.rotateMasterKey()),
  forgetVariables: operator
    .input(administrationInput.forgetVariables)
    .mutation(({ ctx, input }) => ctx.administration.forgetVariables(input.projectId)),
  listOrphans: operator
    .input(administrationInput.listOrphans)
    .query(({ ctx, input, signal }) => ctx.administration.listOrphans(input, signal ?? AbortSignal.abort())),
  adoptOrphan: operator
    .input(administrationInput.adoptOrphan)
    .mutation(({ ctx, input, signal }) =>
      ctx.administration.adoptOrphan(input, signal ?? AbortSignal.abort()),
    ),
  removeOrphan: operator
    .input(administrationInput.removeOrphan)
    .mutation(({ ctx, input, signal }) =>
      ctx.administration.removeOrphan(input, signal ?? AbortSignal.abort()),
    ),
  listImages: operator
    .input(administrationInput.listImages)
    .query(({ ctx, input, signal }) => ctx.administration.listImages(input, signal ?? AbortSignal.abort())),
  /** A stream: asked for with `trpc-accept: application/jsonl`. */
  pullImages: operator.input(administrationInput.pullImages).mutation(async function* ({
    ctx,
    input,
    signal,
  }) {
    yield* ctx.administration.pullImages(input, signal ?? AbortSignal.abort());
  }),
  pruneImages: operator
    .input(administrationInput.pruneImages)
    .mutation(({ ctx, input, signal }) =>
      ctx.administration.pruneImages(input, signal ?? AbortSignal.abort()),
    ),
  setImage: operator
    .input(administrationInput.setImage)
    .mutation(({ ctx, input }) => ctx.administration.setImage(input)),
  unsetImage: operator
    .input(administrationInput.unsetImage)
    .mutation(({ ctx, input }) => ctx.administration.unsetImage(input)),
});

export type AdminRouter = typeof adminRouter;

function codeOfStatus(status: ErrorDefinition["status"]): TRPCError["code"] {
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return "BAD_REQUEST";
    case 401:
      return "UNAUTHORIZED";
    case 403:
      return "FORBIDDEN";
    case 404:
      return "NOT_FOUND";
    case 409:
      return "CONFLICT";
    case 429:
      return "TOO_MANY_REQUESTS";
    case 500:
      return "INTERNAL_SERVER_ERROR";
    case 503:
      return "SERVICE_UNAVAILABLE";
  }
}
