import { inputProblems as en } from "./en/input-problems.ts";
import { inputProblems as pt } from "./pt/input-problems.ts";

export const inputProblems: Readonly<Record<"pt" | "en", typeof pt>> = { pt, en };
