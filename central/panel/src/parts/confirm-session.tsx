/** Asks for the password when a change wants to know that the person is still there, then lets the change go on. */

import { lazy, Suspense } from "react";
import { useIsConfirming } from "../api/confirmation.ts";

const ConfirmDialog = lazy(async () => ({ default: (await import("./confirm-dialog.tsx")).ConfirmDialog }));

export function ConfirmSession() {
  return useIsConfirming() ? (
    <Suspense>
      <ConfirmDialog />
    </Suspense>
  ) : null;
}
