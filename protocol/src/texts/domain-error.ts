/** The message of a domain's error: what its code means, with the addresses that are wrong. */

import type { DomainErrorCode } from "../nouns/domain.ts";
import { domainError as en } from "./en/domain-error.ts";
import { domainError as pt } from "./pt/domain-error.ts";
import type { TextLanguage } from "./text-language.ts";

const texts = { pt, en };

export function domainErrorMessage(
  { code, addresses }: { code: DomainErrorCode; addresses: readonly string[] },
  language: TextLanguage,
): string {
  return texts[language][code](addresses.join(", "));
}
