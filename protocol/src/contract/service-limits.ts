/** Defines limits that hold for every plan (spec: Limits); the rates and sizes of a plan are in `plan.ts`. */

import { z } from "zod";
import { described } from "./described.ts";

export const serviceLimits = described(
  z.strictObject({
    uploadEveryMs: z.int().min(0),
    uploadsAtOnce: z.int().min(1),
    logOpenEveryMs: z.int().min(0),
    logStreamsAtOnce: z.int().min(1),
    /** Requests of one panel session; keys have their plan's rates. */
    sessionRequestsPerMinute: z.int().min(1),
    keysPerAccount: z.int().min(1),
    /**
     * Number of wrong keys, passwords, codes or links within the window, from one address or for one person,
     * that blocks further ones; the same number of reset mails and open sign-ups as well.
     */
    wrongAttempts: z.int().min(1),
    wrongAttemptWindowMs: z.int().min(1),
    wrongAttemptBlockMs: z.int().min(1),
    /** Bytes of the names and values of a project's variables together. */
    variablesBytes: z.int().min(1),
  }),
  {
    uploadEveryMs: { pt: "Pausa entre envios de uma conta.", en: "Pause between two uploads of an account." },
    uploadsAtOnce: { pt: "Envios de uma conta ao mesmo tempo.", en: "Uploads of an account at once." },
    logOpenEveryMs: {
      pt: "Pausa entre aberturas do log de um projeto.",
      en: "Pause between two openings of a project's log stream.",
    },
    logStreamsAtOnce: {
      pt: "Logs abertos de uma conta.",
      en: "Log streams that an account has open at once.",
    },
    sessionRequestsPerMinute: {
      pt: "Requisições por minuto de uma sessão do painel.",
      en: "Requests per minute of a panel session.",
    },
    keysPerAccount: { pt: "Chaves por conta.", en: "Keys per account." },
    wrongAttempts: {
      pt: "Chaves, senhas, códigos ou links errados que bloqueiam mais deles.",
      en: "Wrong keys, passwords, codes or links that block further ones.",
    },
    wrongAttemptWindowMs: { pt: "Dentro de quanto tempo.", en: "Within how long." },
    wrongAttemptBlockMs: { pt: "Por quanto tempo bloqueiam.", en: "For how long they block." },
    variablesBytes: { pt: "Variáveis de um projeto, em bytes.", en: "A project's variables, in bytes." },
  },
);
export type ServiceLimits = z.infer<typeof serviceLimits>;

export const defaultServiceLimits: ServiceLimits = {
  uploadEveryMs: 3_000,
  uploadsAtOnce: 4,
  logOpenEveryMs: 5_000,
  logStreamsAtOnce: 5,
  sessionRequestsPerMinute: 1_200,
  keysPerAccount: 10,
  wrongAttempts: 10,
  wrongAttemptWindowMs: 10 * 60_000,
  wrongAttemptBlockMs: 15 * 60_000,
  variablesBytes: 32 * 1024,
};
