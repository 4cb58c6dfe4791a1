/**
 * Exports the npm package `@tijolo/client`: the client of the HTTP interface, its errors, and the types of
 * its responses.
 */

export { ApiError, ConnectionError } from "../contract/api-error.ts";
export {
  createClient,
  type CallInput,
  type CallOptions,
  type Client,
  type ClientOptions,
  type IdempotentCallOptions,
  type StreamMethod,
} from "./client.ts";
export type { KeyLevel, Scope } from "../contract/access.ts";
export type { Account, ActivityEntry, ProjectEvent } from "../nouns/account.ts";
export type { ErrorCode } from "../contract/errors.ts";
export type { Reconnect } from "./follow-events.ts";
export type { ApiKey } from "../nouns/key.ts";
export type { Language } from "../nouns/language.ts";
export type { LogEvent, LogLine, LogSection, LogStream } from "../nouns/log.ts";
export type { MetricPoint, MetricRange, Metrics } from "../nouns/metric.ts";
export type { OperationAnswer, OperationName } from "../contract/operations.ts";
export type { PlanName } from "../nouns/plan.ts";
export type {
  LastExit,
  Project,
  ProjectError,
  ProjectErrorCode,
  ProjectStatus,
  Usage,
} from "../nouns/project.ts";
export type { ReplacedFiles } from "../nouns/replaced-files.ts";
export type { PanelSession, Person, SignedIn } from "../nouns/session.ts";
export type { SystemPackage } from "../project/system-package.ts";
export type { UploadFile } from "../archive/upload-body.ts";
export type { Variables } from "../nouns/variable.ts";
export type { Version, VersionStatus, VersionTrigger } from "../nouns/version.ts";
