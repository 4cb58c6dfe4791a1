/** Exports `@tijolo/protocol/proposal`: which svc.json fits a project that has none. */

export { proposeConfig, type Proposal } from "./propose-config.ts";
export { languageOfFile } from "./language-of-file.ts";
export type { ProposalReason, ProposedField, ProposedName } from "./draft.ts";
export type { ProjectTree } from "./project-tree.ts";
export { neededPathOf, type NeededPath } from "../selection/needed-path.ts";
export type { ProjectConfig } from "../project/project-config.ts";
