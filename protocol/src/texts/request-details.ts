import { requestDetails as en } from "./en/request-details.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import { requestDetails as pt } from "./pt/request-details.ts";

export const requestDetails = inBothLanguages(pt, en);
