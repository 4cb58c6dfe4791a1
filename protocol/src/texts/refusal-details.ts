import { refusalDetails as en } from "./en/refusal-details.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import { refusalDetails as pt } from "./pt/refusal-details.ts";

export const refusalDetails = inBothLanguages(pt, en);
