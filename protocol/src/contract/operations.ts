/**
 * Lists every operation of the HTTP interface (spec: Endpoints). Handlers, permission checks, the OpenAPI
 * document, the typed client and the authorization test are derived from this table.
 */

import type { z } from "zod";
import type { Operation } from "./operation.ts";
import { accountOperations } from "./operations/account.ts";
import { analyticsOperations } from "./operations/analytics.ts";
import { announcementOperations } from "./operations/announcement.ts";
import { certificateOperations } from "./operations/certificate.ts";
import { controlOperations } from "./operations/control.ts";
import { clusterAccountOperations } from "./operations/cluster-account.ts";
import { domainOperations } from "./operations/domain.ts";
import { sitePageOperations } from "./operations/site-page.ts";
import { siteSettingsOperations } from "./operations/site-settings.ts";
import { gatewayOperations } from "./operations/gateway.ts";
import { hostOperations } from "./operations/host.ts";
import { imageOperations } from "./operations/image.ts";
import { keyOperations } from "./operations/key.ts";
import { liveOperations } from "./operations/live.ts";
import { logOperations } from "./operations/log.ts";
import { metricOperations } from "./operations/metric.ts";
import { noticeOperations } from "./operations/notice.ts";
import { operatorOperations } from "./operations/operator.ts";
import { orphanOperations } from "./operations/orphan.ts";
import { passkeyOperations } from "./operations/passkey.ts";
import { projectOperations } from "./operations/project.ts";
import { replacedFilesOperations } from "./operations/replaced-files.ts";
import { secretOperations } from "./operations/secret.ts";
import { serviceOperations } from "./operations/service.ts";
import { sessionOperations } from "./operations/session.ts";
import { variableOperations } from "./operations/variable.ts";
import { versionOperations } from "./operations/version.ts";

export const operations = {
  ...projectOperations,
  ...controlOperations,
  ...liveOperations,
  ...logOperations,
  ...metricOperations,
  ...analyticsOperations,
  ...versionOperations,
  ...replacedFilesOperations,
  ...variableOperations,
  ...domainOperations,
  ...siteSettingsOperations,
  ...sitePageOperations,
  ...accountOperations,
  ...noticeOperations,
  ...keyOperations,
  ...sessionOperations,
  ...passkeyOperations,
  ...serviceOperations,
  ...hostOperations,
  ...gatewayOperations,
  ...clusterAccountOperations,
  ...orphanOperations,
  ...imageOperations,
  ...secretOperations,
  ...certificateOperations,
  ...announcementOperations,
  ...operatorOperations,
} satisfies Record<string, Operation>;

export type Operations = typeof operations;

export type OperationName = keyof Operations;

export const operationNames = Object.keys(operations).filter((name): name is OperationName =>
  Object.hasOwn(operations, name),
);

/** Operations that only an operator's token opens: those under `/cluster`. */
export type ClusterOperationName = {
  [Name in OperationName]: Operations[Name]["access"] extends { kind: "operator" } ? Name : never;
}[OperationName];

export const clusterOperationNames = operationNames.filter(
  (name): name is ClusterOperationName => operations[name].access.kind === "operator",
);

/** Input of an operation after its schemas were applied. */
export type OperationParams<Name extends OperationName> = z.output<Operations[Name]["params"]>;
export type OperationQuery<Name extends OperationName> = z.output<Operations[Name]["query"]>;
export type OperationBody<Name extends OperationName> = Operations[Name]["body"] extends {
  kind: "json";
  schema: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : Operations[Name]["body"] extends { kind: "upload"; fields: infer Fields extends z.ZodType }
    ? z.output<Fields>
    : undefined;

/**
 * Answer of an operation: its JSON document, the text of one that answers a `document`, the content of one
 * that answers `bytes` or `text`, and undefined for an operation without an answer.
 */
export type OperationAnswer<Name extends OperationName> = Operations[Name]["answer"] extends {
  kind: "json";
  schema: infer Schema extends z.ZodType;
}
  ? z.input<Schema>
  : Operations[Name]["answer"] extends { kind: "document" }
    ? string
    : Operations[Name]["answer"] extends { kind: "bytes" | "text" }
      ? ReadableStream<Uint8Array>
      : undefined;
