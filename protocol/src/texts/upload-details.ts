import { uploadDetails as en } from "./en/upload-details.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import { uploadDetails as pt } from "./pt/upload-details.ts";

export const uploadDetails = inBothLanguages(pt, en);
