/**
 * Exports the npm package `@tijolo/client`: the client of the HTTP interface, its errors, and the types of
 * its responses.
 */

export { ApiError, ConnectionError } from "../contract/api-error.ts";
export { createClient } from "./full-client.ts";
export type {
  CallInput,
  CallOptions,
  Client,
  ClientOptions,
  IdempotentCallOptions,
  StreamMethod,
} from "./client.ts";
export type { KeyLevel, Scope } from "../contract/access.ts";
export type { ErrorCode } from "../contract/errors.ts";
export type { Reconnect } from "./follow-events.ts";
export type { OperationAnswer, OperationName } from "../contract/operations.ts";
export type * from "../nouns.ts";
export type { SystemPackage } from "../project/system-package.ts";
export type { UploadFile } from "../archive/upload-body.ts";
