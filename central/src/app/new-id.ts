import { makeId } from "@tijolo/protocol";
import type { BaseContext } from "./base-context.ts";

/** A new time-ordered id. */
export function newId({ clock, random }: Pick<BaseContext, "clock" | "random">): string {
  return makeId(clock.now(), random(10));
}
