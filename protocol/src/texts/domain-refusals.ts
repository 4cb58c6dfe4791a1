import { domainRefusals as en } from "./en/domain-refusals.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import { domainRefusals as pt } from "./pt/domain-refusals.ts";

export const domainRefusals = inBothLanguages(pt, en);
