/** Defines the operators' operations on accounts, their plans, keys and links. */

import { z } from "zod";
import {
  accountSummary,
  issuedLink,
  passwordLink,
  planChange,
  projectReference,
} from "../../nouns/account-summary.ts";
import { apiKey, keyName } from "../../nouns/key.ts";
import { plan, planName } from "../../nouns/plan.ts";
import { email, personName } from "../../nouns/session.ts";
import { id } from "../../values/id.ts";
import { visibleName } from "../../values/visible-name.ts";
import { keyLevels, scope, scopes } from "../access.ts";
import { described } from "../described.ts";
import { inputReasons } from "../input-reasons.ts";
import { operation } from "../operation.ts";
import { serviceLimits } from "../service-limits.ts";
import { pageLimit, pageLimitWords } from "./inputs.ts";
import { asOperator, asViewer, bodyErrors } from "./operator-row.ts";
import { sharedWords } from "../shared-words.ts";

const dayMs = 24 * 60 * 60 * 1000;
const maxWaitMs = 366 * dayMs;
const waitMs = z.int().min(0).max(maxWaitMs);

const accountIdWords = { pt: "Id da conta.", en: "The account's id." };
const planWords = { pt: "O plano.", en: "The plan." };
const accountId = described(z.strictObject({ accountId: id }), { accountId: accountIdWords });
const oneAccount = described(z.strictObject({ account: accountSummary }), sharedWords);
const account = { ...asOperator, params: accountId } as const;

export const clusterAccountOperations = {
  listAccounts: operation({
    ...asViewer,
    path: "/cluster/accounts",
    summary: { pt: "Lista as contas", en: "Lists the accounts" },
    text: {
      pt: "Da mais velha à mais nova; com `reference`, só as que têm este id, e-mail ou nome, no máximo dez.",
      en: "Oldest first; with `reference`, only those that have this id, e-mail or name, at most ten.",
    },
    query: described(
      z.strictObject({
        reference: z.string().trim().min(1).max(254).optional(),
        limit: pageLimit.default(100),
        cursor: id.optional(),
      }),
      {
        reference: { pt: "Um id, um e-mail ou um nome.", en: "An id, an e-mail address or a name." },
        limit: pageLimitWords,
        cursor: sharedWords.cursor,
      },
    ),
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ accounts: z.array(accountSummary), nextCursor: id.nullable() }), {
        accounts: { pt: "As contas.", en: "The accounts." },
        nextCursor: sharedWords.nextCursor,
      }),
    },
    errors: [],
  }),
  createAccount: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/accounts",
    summary: { pt: "Cria uma conta", en: "Creates an account" },
    text: {
      pt: "Sem pessoa: usa-se com chaves, até um link de senha lhe dar uma.",
      en: "Without a person: it is used with keys, until a password link gives it one.",
    },
    body: {
      kind: "json",
      example: { name: "Ana", plan: "Stack" },
      schema: described(z.strictObject({ name: visibleName(80), plan: planName }), {
        name: sharedWords.name,
        plan: planWords,
      }),
    },
    answer: { kind: "json", status: 201, schema: oneAccount },
    errors: bodyErrors,
  }),
  getClusterAccount: operation({
    ...asViewer,
    path: "/cluster/accounts/{accountId}",
    summary: { pt: "Mostra uma conta", en: "Shows an account" },
    text: { pt: "O plano, o uso e a situação.", en: "Its plan, its usage and how it stands." },
    params: accountId,
    answer: { kind: "json", status: 200, schema: oneAccount },
    errors: ["not_found"],
  }),
  changePlan: operation({
    ...account,
    method: "PUT",
    path: "/cluster/accounts/{accountId}/plan",
    summary: { pt: "Muda o plano de uma conta", en: "Changes an account's plan" },
    text: {
      pt: "Vale na hora e não reinicia nem para nada; a resposta diz o que não cabe mais.",
      en: "Takes effect at once and restarts and stops nothing; the response says what does not fit any more.",
    },
    body: {
      kind: "json",
      example: { plan: "Stack" },
      schema: described(z.strictObject({ plan: planName }), { plan: planWords }),
    },
    answer: { kind: "json", status: 200, schema: planChange },
    errors: [...bodyErrors, "not_found"],
  }),
  suspendAccount: operation({
    ...account,
    method: "POST",
    path: "/cluster/accounts/{accountId}/suspend",
    summary: { pt: "Suspende uma conta", en: "Suspends an account" },
    text: {
      pt: "Nada mais inicia; o que roda para quando o prazo acaba. De novo, com prazo: muda esse fim.",
      en: "Nothing starts any more; what runs stops when the grace is over. Again, with a grace: that end moves.",
    },
    body: {
      kind: "json",
      example: { graceMs: 86_400_000 },
      schema: described(z.strictObject({ graceMs: waitMs.optional() }), {
        graceMs: {
          pt: "O prazo, em milissegundos; sem ele, o da central, ou o que a conta suspensa já tem.",
          en: "The grace, in milliseconds; without it, central's, or the one that a suspended account already has.",
        },
      }),
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ account: accountSummary, running: z.array(projectReference) }), {
        account: sharedWords.account,
        running: { pt: "O que roda, e vai parar.", en: "What runs, and will stop." },
      }),
    },
    errors: [...bodyErrors, "not_found"],
  }),
  resumeAccount: operation({
    ...account,
    method: "POST",
    path: "/cluster/accounts/{accountId}/resume",
    summary: { pt: "Libera uma conta suspensa", en: "Lifts a suspension" },
    text: { pt: "Nada inicia sozinho.", en: "Nothing starts by itself." },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ account: accountSummary, stopped: z.array(projectReference) }), {
        account: sharedWords.account,
        stopped: { pt: "O que a suspensão parou.", en: "What the suspension stopped." },
      }),
    },
    errors: ["not_found"],
  }),
  endBeta: operation({
    ...account,
    method: "PUT",
    path: "/cluster/accounts/{accountId}/beta-end",
    summary: { pt: "Encerra o beta de uma conta", en: "Ends an account's beta" },
    text: {
      pt: "Até lá ela não inicia nem recebe código; depois volta ao plano Free.",
      en: "Until then it starts and receives nothing; then it returns to Free.",
    },
    body: {
      kind: "json",
      example: { inMs: 3_600_000 },
      schema: described(z.strictObject({ inMs: waitMs }), {
        inMs: { pt: "Em quanto tempo, em milissegundos.", en: "In how long, in milliseconds." },
      }),
    },
    answer: { kind: "json", status: 200, schema: oneAccount },
    errors: [...bodyErrors, "not_found"],
  }),
  cancelBetaEnd: operation({
    ...account,
    method: "DELETE",
    path: "/cluster/accounts/{accountId}/beta-end",
    summary: { pt: "Não encerra mais o beta de uma conta", en: "Calls off the end of an account's beta" },
    text: { pt: "A conta fica no plano que tem.", en: "The account stays on the plan that it has." },
    answer: { kind: "json", status: 200, schema: oneAccount },
    errors: ["not_found"],
  }),
  createAccountKey: operation({
    ...account,
    method: "POST",
    path: "/cluster/accounts/{accountId}/keys",
    summary: { pt: "Cria uma chave de API para uma conta", en: "Creates an API key for an account" },
    text: {
      pt: "A chave inteira só aparece nesta resposta.",
      en: "The whole key appears only in this response.",
    },
    body: {
      kind: "json",
      example: { name: "deploy", level: "write", scopes: ["projects:settings"] },
      schema: described(
        z.strictObject({
          name: keyName,
          level: z.enum(keyLevels),
          scopes: z.array(scope).max(scopes.length).default([]),
        }),
        {
          name: sharedWords.name,
          level: { pt: "Leitura, ou leitura e escrita.", en: "Read, or read and write." },
          scopes: { pt: "Mais permissões, uma a uma.", en: "Further scopes, one by one." },
        },
      ),
    },
    answer: {
      kind: "json",
      status: 201,
      schema: described(z.strictObject({ key: apiKey, secret: z.string() }), {
        key: { pt: "A chave.", en: "The key." },
        secret: {
          pt: "A chave inteira, `svc_…`; só aparece aqui.",
          en: "The whole key, `svc_…`; it appears only here.",
        },
      }),
    },
    errors: [...bodyErrors, "not_found", "key_limit_reached"],
  }),
  endAccountTwoFactor: operation({
    ...account,
    method: "DELETE",
    path: "/cluster/accounts/{accountId}/two-factor",
    summary: { pt: "Desliga a entrada em duas etapas de uma conta", en: "Ends an account's second factor" },
    text: {
      pt: "Para quem perdeu o autenticador e os códigos; saber quem pede é com o operador.",
      en: "For who lost the authenticator and the recovery codes; to know who asks is the operator's part.",
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ wasOn: z.boolean() }), {
        wasOn: { pt: "Se estava ligada.", en: "Whether it was on." },
      }),
    },
    errors: ["not_found"],
  }),
  createPasswordLink: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/password-links",
    summary: { pt: "Cria um link de senha", en: "Creates a password link" },
    text: {
      pt: "Com ele a pessoa põe uma senha, dentro de uma hora. Uma conta que só teve chaves ganha assim a sua pessoa, e precisa de conta e e-mail.",
      en: "With it, a person sets a password within an hour. An account that has only had keys gets its person by it, and needs both account and e-mail.",
    },
    body: {
      kind: "json",
      example: { email: "ana@tijolo.dev" },
      schema: described(
        z
          .strictObject({ accountId: id.optional(), email: email.optional(), name: personName.optional() })
          .refine(
            (input) => input.accountId !== undefined || input.email !== undefined,
            inputReasons.noAccountOrEmail.pt,
          ),
        { accountId: accountIdWords, email: sharedWords.email, name: sharedWords.name },
      ),
    },
    answer: {
      kind: "json",
      status: 201,
      schema: described(z.strictObject({ link: passwordLink }), { link: { pt: "O link.", en: "The link." } }),
    },
    errors: [...bodyErrors, "not_found", "email_taken"],
  }),
  createInvitation: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/invitations",
    summary: { pt: "Convida uma pessoa", en: "Invites a person" },
    text: {
      pt: "Uma pessoa se cadastra com o convite, dentro de 7 dias.",
      en: "One person may sign up with the invitation, within 7 days.",
    },
    body: {
      kind: "json",
      example: { plan: "Stack" },
      schema: described(z.strictObject({ plan: planName.default("Free") }), { plan: planWords }),
    },
    answer: {
      kind: "json",
      status: 201,
      schema: described(z.strictObject({ invitation: issuedLink }), {
        invitation: { pt: "O convite.", en: "The invitation." },
      }),
    },
    errors: [...bodyErrors, "sign_up_closed"],
  }),
  listPlans: operation({
    ...asViewer,
    path: "/cluster/plans",
    summary: { pt: "Mostra planos e limites", en: "Shows plans and limits" },
    text: {
      pt: "Os que estão em vigor: os do Tijolo, com o arquivo do operador por cima.",
      en: "Those in effect: Tijolo's, with the operator's file over them.",
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ plans: z.array(plan), limits: serviceLimits }), {
        plans: { pt: "Os planos.", en: "The plans." },
        limits: { pt: "Os limites que valem em todo plano.", en: "The limits that hold for every plan." },
      }),
    },
    errors: [],
  }),
};
