import { makeId } from "@tijolo/protocol";
import type { BaseContext } from "./base-context.ts";

/** Returns a new time-ordered id. */
export function newId({ clock, random }: Pick<BaseContext, "clock" | "random">): string {
  return makeId(clock.now(), random(10));
}
