/** What the npm package `@tijolo/client` gives: the client of the HTTP interface, its errors, and the types of what it answers. */

export { ApiError, ConnectionError } from "./api-error.ts";
export {
  createClient,
  type CallInput,
  type CallOptions,
  type Client,
  type ClientOptions,
  type IdempotentCallOptions,
  type StreamMethod,
} from "./client.ts";
export type { KeyLevel, Scope } from "./access.ts";
export type { Account, ActivityEntry, ProjectEvent } from "./account.ts";
export type { ErrorCode } from "./errors.ts";
export type { Reconnect } from "./follow-events.ts";
export type { ApiKey } from "./key.ts";
export type { Language } from "./language.ts";
export type { LogEvent, LogLine, LogSection, LogStream } from "./log.ts";
export type { MetricPoint, MetricRange, Metrics } from "./metric.ts";
export type { OperationAnswer, OperationName } from "./operations.ts";
export type { PlanName } from "./plan.ts";
export type { LastExit, Project, ProjectError, ProjectErrorCode, ProjectStatus, Usage } from "./project.ts";
export type { PanelSession, Person, SignedIn } from "./session.ts";
export type { SystemPackage } from "./system-package.ts";
export type { UploadFile } from "./upload-body.ts";
export type { Variables } from "./variable.ts";
