/** Asks for the password when a change wants to know that the person is still there, then lets the change go on. */

import { lazy } from "react";
import { answerConfirmation, useIsConfirming } from "../api/confirmation.ts";
import { Lazily } from "./lazily.tsx";

const ConfirmDialog = lazy(async () => ({ default: (await import("./confirm-dialog.tsx")).ConfirmDialog }));

export function ConfirmSession() {
  return useIsConfirming() ? (
    <Lazily onMissing={() => answerConfirmation(false)}>
      <ConfirmDialog />
    </Lazily>
  ) : null;
}
