import { sitePages as en } from "./en/site-pages.ts";
import { sitePages as pt } from "./pt/site-pages.ts";

export const sitePages: Readonly<Record<"pt" | "en", typeof pt>> = { pt, en };
