/** What the account may still use: its plan's bounds, and what is left of them. */

import { useRead } from "../../api/use-read.ts";
import { useLive } from "../../live/live-store.ts";
import type { Room } from "./project-draft.ts";

/** Null until both are known; then the checks before an upload are the server's alone. */
export function useRoom(): Room | null {
  const service = useRead("getService").data;
  const read = useRead("getAccount", {}, { staleMs: 0 }).data?.account;
  const account = useLive((state) => state.account) ?? read;
  const plan = service?.plans.find(({ name }) => name === account?.plan);
  return plan === undefined || account === undefined ? null : { plan, account };
}

/** Bytes of an upload that the plan allows. */
export function mostBytesOf(room: Room | null): number | null {
  return room === null ? null : room.plan.zipMb * 1024 * 1024;
}
