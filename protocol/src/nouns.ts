/** Lists the nouns of the HTTP interface: the shapes of what its operations take and answer. */

export * from "./nouns/account-summary.ts";
export * from "./nouns/account.ts";
export * from "./nouns/host-images.ts";
export * from "./nouns/host-reference.ts";
export * from "./nouns/host-view.ts";
export * from "./nouns/host.ts";
export * from "./nouns/image-pull.ts";
export * from "./nouns/image.ts";
export * from "./nouns/key.ts";
export * from "./nouns/language.ts";
export * from "./nouns/live-event.ts";
export * from "./nouns/log.ts";
export * from "./nouns/master-key.ts";
export * from "./nouns/metric.ts";
export * from "./nouns/notice-content.ts";
export * from "./nouns/notice.ts";
export * from "./nouns/operator.ts";
export * from "./nouns/orphan.ts";
export * from "./nouns/passkey.ts";
export * from "./nouns/plan.ts";
export * from "./nouns/project.ts";
export * from "./nouns/replaced-files.ts";
export * from "./nouns/service.ts";
export * from "./nouns/session.ts";
export * from "./nouns/variable.ts";
export * from "./nouns/version.ts";
