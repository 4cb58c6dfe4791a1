/**
 * Better Auth's lower parts: its store of people, credentials, sessions and single-use tokens, and its
 * encryption. Its own flows are not used: they hash inside a transaction, and commit without the account, the
 * keys and the activity that belong to them; their sessions are stored in clear and know no clock but their
 * own.
 */

import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { createInternalAdapter } from "better-auth/db";
import type { BetterAuthOptions } from "better-auth/types";
import type { Logger } from "pino";
import { authAdapter } from "../../db/auth-adapter.ts";
import type { Reader } from "../../db/schema.ts";

export type AuthStore = ReturnType<typeof createInternalAdapter>;

export interface Auth {
  /** The store; inside a transaction, what it writes is committed, or undone, together with the rest. */
  storeOf(db: Reader): AuthStore;
  encrypt(text: string): Promise<string>;
  decrypt(text: string): Promise<string>;
}

export interface AuthParts {
  /** Encrypts what must be read again, such as an authenticator's secret. */
  secret: string;
  logger: Logger;
  newId: () => string;
}

export function createAuth({ secret, logger, newId }: AuthParts): Auth {
  const generateId = () => newId();
  const log = loggerOf(logger);
  const options: BetterAuthOptions = {
    ...storeOptions,
    advanced: { database: { generateId } },
    logger: { log: (level, message, ...details) => log[level](message, ...details) },
  };
  return {
    storeOf: (db) =>
      createInternalAdapter(authAdapter(db)(options), { options, logger: log, hooks: [], generateId }),
    encrypt: (text) => symmetricEncrypt({ key: secret, data: text }),
    decrypt: (text) => symmetricDecrypt({ key: secret, data: text }),
  };
}

const times = { createdAt: "created_at", updatedAt: "updated_at" };

/** Our names of its tables and columns. */
const storeOptions = {
  user: {
    modelName: "person",
    fields: { emailVerified: "email_verified", ...times },
    additionalFields: {
      tijoloAccountId: { type: "string", required: true, fieldName: "account_id", input: false },
    },
  },
  account: {
    modelName: "credential",
    fields: { userId: "person_id", providerId: "provider", accountId: "subject", ...times },
  },
  session: {
    modelName: "session",
    fields: {
      userId: "person_id",
      token: "token_hash",
      ipAddress: "address",
      userAgent: "user_agent",
      expiresAt: "expires_at",
      ...times,
    },
  },
  verification: {
    storeIdentifier: "hashed",
    disableCleanup: true,
    fields: { expiresAt: "expires_at", ...times },
  },
} as const satisfies BetterAuthOptions;

function loggerOf(logger: Logger): Parameters<typeof createInternalAdapter>[1]["logger"] {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: string, ...details: unknown[]) =>
      logger[level]({ details }, message);
  return {
    level: "warn",
    debug: at("debug"),
    info: at("info"),
    success: at("info"),
    warn: at("warn"),
    error: at("error"),
  };
}
