import { panelPages as en } from "./en/panel-pages.ts";
import { panelPages as pt } from "./pt/panel-pages.ts";

export const panelPages: Readonly<Record<"pt" | "en", typeof pt>> = { pt, en };
