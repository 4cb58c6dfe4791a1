/**
 * Exports `@tijolo/protocol/client`: the client, its errors and its types, for browsers. Nothing that it
 * imports has a schema; the table of routes is an argument.
 */

export { ApiError, ConnectionError, readApiError } from "../contract/api-error.ts";
export {
  createClient,
  pathOf,
  type CallInput,
  type CallOptions,
  type Client,
  type ClientOptions,
  type IdempotentCallOptions,
  type StreamMethod,
} from "./client.ts";
export type { KeyLevel, OperatorRole, Scope } from "../contract/access.ts";
export type { ErrorCode } from "../contract/errors.ts";
export type { OperationAnswer, OperationName } from "../contract/operations.ts";
export type * from "../nouns.ts";
export type { UploadFile } from "../archive/upload-body.ts";
export type { Reconnect } from "./follow-events.ts";
export type { Route, Routes } from "./routes.ts";
