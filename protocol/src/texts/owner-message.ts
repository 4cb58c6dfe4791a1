/** The sentence of an {@link OwnerMessage}, in the reader's language. */

import type { OwnerMessage } from "../project/owner-message.ts";
import { diagnosis as diagnosisEn } from "./en/diagnosis.ts";
import { install as installEn } from "./en/install.ts";
import { run as runEn } from "./en/run.ts";
import { diagnosis as diagnosisPt } from "./pt/diagnosis.ts";
import { install as installPt } from "./pt/install.ts";
import { run as runPt } from "./pt/run.ts";
import type { TextLanguage } from "./text-language.ts";

const texts = {
  pt: { ...diagnosisPt, ...installPt, ...runPt },
  en: { ...diagnosisEn, ...installEn, ...runEn },
};

/** Characters of a text at most, which only a long list of system packages reaches. */
const longestText = 500;

export function ownerMessageText(message: OwnerMessage, language: TextLanguage): string {
  // The code chooses the text whose parameters are the message's own, which TypeScript does not follow.
  const text = texts[language][message.code] as (parameters: OwnerMessage) => string;
  return text(message).slice(0, longestText).toWellFormed();
}
