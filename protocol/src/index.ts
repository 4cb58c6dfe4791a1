/** Exports the contract between central, agents, panel and CLI. Pure: no I/O, runs in a browser. */

export * from "./contract/access.ts";
export * from "./values/amounts.ts";
export * from "./contract/api-error.ts";
export * from "./contract/app-error.ts";
export * from "./values/words.ts";
export * from "./archive/archive-error.ts";
export * from "./archive/archive.ts";
export * from "./link/assignment.ts";
export * from "./values/back-off.ts";
export { createClient } from "./client/full-client.ts";
export * from "./client/routes.ts";
export type {
  CallInput,
  CallOptions,
  Client,
  ClientOptions,
  IdempotentCallOptions,
  StreamMethod,
} from "./client/client.ts";
export * from "./contract/described.ts";
export * from "./contract/errors.ts";
export * from "./client/follow-events.ts";
export * from "./link/gateway-messages.ts";
export * from "./link/held-project.ts";
export * from "./link/host-images.ts";
export * from "./link/host-logs.ts";
export * from "./link/host-requests.ts";
export * from "./values/id.ts";
export * from "./contract/input-reasons.ts";
export * from "./link/link-limits.ts";
export * from "./link/link-messages.ts";
export * from "./link/link-protocol.ts";
export * from "./link/link-router.ts";
export * from "./link/mesh-messages.ts";
export * from "./link/replaced-files.ts";
export * from "./live/apply-live-event.ts";
export * from "./machine/machine-news.ts";
export * from "./machine/oldest-haproxy.ts";
export * from "./openapi/openapi.ts";
export * from "./openapi/introduction.ts";
export * from "./contract/operation.ts";
export * from "./contract/operations.ts";
export * from "./release/package-set.ts";
export * from "./release/release-manifest.ts";
export * from "./nouns.ts";
export * from "./values/lengths.ts";
export * from "./values/plain-text.ts";
export * from "./proposal/draft.ts";
export * from "./proposal/project-tree.ts";
export * from "./proposal/propose-config.ts";
export * from "./project/observed-state.ts";
export * from "./project/on-failure.ts";
export * from "./project/owner-message.ts";
export * from "./project/project-config.ts";
export * from "./project/quotation.ts";
export * from "./project/project-settings.ts";
export * from "./project/project-state.ts";
export * from "./project/run-limits.ts";
export * from "./contract/service-limits.ts";
export * from "./contract/shared-words.ts";
export * from "./values/shell-word.ts";
export * from "./project/built-entry.ts";
export * from "./project/start-command.ts";
export * from "./contract/svc-json-schema.ts";
export * from "./contract/tags.ts";
export * from "./project/system-package.ts";
export * from "./link/tunnel-contract.ts";
export * from "./archive/upload-body.ts";
export * from "./project/version-range.ts";
export * from "./values/visible-name.ts";
export * from "./project/wanted-version.ts";
export * from "./archive/zip-layout.ts";
export * from "./visits/latency-histogram.ts";
export * from "./visits/top-values.ts";
export * from "./visits/visit-counts.ts";
export * from "./visits/visitor-sketch.ts";
