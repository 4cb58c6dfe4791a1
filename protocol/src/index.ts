/** The contract between central, agents, panel and CLI. Pure: no I/O, runs in a browser. */

export * from "./access.ts";
export * from "./admin-router.ts";
export * from "./api-error.ts";
export * from "./archive.ts";
export * from "./assignment.ts";
export * from "./client.ts";
export * from "./errors.ts";
export * from "./follow-events.ts";
export * from "./id.ts";
export * from "./language.ts";
export * from "./link-messages.ts";
export * from "./link-router.ts";
export * from "./log.ts";
export * from "./openapi.ts";
export * from "./operation.ts";
export * from "./operations.ts";
export * from "./plan.ts";
export * from "./project-config.ts";
export * from "./project-settings.ts";
export * from "./project-state.ts";
export * from "./project.ts";
export * from "./svc-json-schema.ts";
export * from "./system-package.ts";
export * from "./tunnel-contract.ts";
export * from "./upload-body.ts";
export * from "./zip-layout.ts";
