import * as en from "./en/archive.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import * as pt from "./pt/archive.ts";

export const archiveTexts: Readonly<Record<"pt" | "en", typeof pt>> = { pt, en };
export const archiveDetails = inBothLanguages(pt.archiveDetails, en.archiveDetails);
