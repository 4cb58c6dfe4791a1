/** The message of a project's error: what its code means, and what its host knows beyond that. */

import type { ProjectErrorCode } from "../nouns/project.ts";
import type { OwnerMessage } from "../project/owner-message.ts";
import { isServiceFault } from "../project/project-state.ts";
import { projectError as en } from "./en/project-error.ts";
import { ownerMessageText } from "./owner-message.ts";
import { projectError as pt } from "./pt/project-error.ts";
import type { TextLanguage } from "./text-language.ts";

export const projectErrorTexts = { pt, en };

/** A fault of the service says all there is to say, as nothing of the project is to be checked. */
export function projectErrorMessage(
  { code, details }: { code: ProjectErrorCode; details: readonly OwnerMessage[] },
  language: TextLanguage,
): string {
  const begin = isServiceFault(details) ? [] : [projectErrorTexts[language][code]];
  return [...begin, ...details.map((detail) => ownerMessageText(detail, language))].join(" ");
}
