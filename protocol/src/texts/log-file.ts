import { logFileTexts as en } from "./en/log-file.ts";
import { logFileTexts as pt } from "./pt/log-file.ts";

export const logFileTexts: Readonly<Record<"pt" | "en", typeof pt>> = { pt, en };
