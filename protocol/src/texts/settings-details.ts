import { settingsDetails as en } from "./en/settings-details.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import { settingsDetails as pt } from "./pt/settings-details.ts";

export const settingsDetails = inBothLanguages(pt, en);
