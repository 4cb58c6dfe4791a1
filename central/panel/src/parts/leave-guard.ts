/** Asks before something typed is lost: by another page of the panel, or by leaving the panel. */

import { useBlocker } from "@tanstack/react-router";
import { useTexts } from "../texts/in-both.ts";
import { leaveTexts } from "../texts/leave.ts";
import { useUnsaved } from "../api/unsaved.ts";

/** `isDirty`: true while there are true changes that are not saved, or the upload is under way. */
export function useLeaveGuard(isDirty: boolean, what: keyof typeof leaveTexts.pt = "question"): void {
  const texts = useTexts(leaveTexts);
  useUnsaved(isDirty);
  useBlocker({
    // The browser's own question: a dialog of ours could not hold a reload.
    shouldBlockFn: ({ current, next }) =>
      // oxlint-disable-next-line no-alert -- it must stop the navigation at once
      isDirty && current.pathname !== next.pathname && !confirm(texts[what]),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  });
}
