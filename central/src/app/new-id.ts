import { makeId } from "@tijolo/protocol";
import type { AppContext } from "./context.ts";

/** A new time-ordered id. */
export function newId({ clock, random }: Pick<AppContext, "clock" | "random">): string {
  return makeId(clock.now(), random(10));
}
