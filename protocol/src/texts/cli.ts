/** The texts that the command line prints, by language; the language that nobody asked for is not loaded. */

import type * as pt from "./pt/cli.ts";

export const cliTexts: Readonly<Record<"pt" | "en", () => Promise<typeof pt>>> = {
  pt: () => import("./pt/cli.ts"),
  en: () => import("./en/cli.ts"),
};
