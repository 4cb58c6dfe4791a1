/** The command line's texts in Portuguese, area by area. */

export * from "./cli/account.ts";
export * from "./cli/certificate.ts";
export * from "./cli/cluster.ts";
export * from "./cli/deploy.ts";
export * from "./cli/domain.ts";
export * from "./cli/doctor.ts";
export * from "./cli/errors.ts";
export * from "./cli/gateway.ts";
export * from "./cli/host.ts";
export * from "./cli/image.ts";
export * from "./cli/install.ts";
export * from "./cli/machine-news.ts";
export * from "./cli/master-key.ts";
export * from "./cli/notice.ts";
export * from "./cli/operator.ts";
export * from "./cli/orphan.ts";
export * from "./cli/project.ts";
export * from "./cli/settings.ts";
export * from "./cli/shared.ts";
export * from "./cli/start.ts";
