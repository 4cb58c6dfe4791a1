/** Brings the dialogs of the operators' pages when one is opened. */

import { lazy, Suspense } from "react";
import type { ChangeDialogProps, ShownOnceProps } from "./dialog-forms.tsx";

const LazyChange = lazy(async () => ({ default: (await import("./dialog-forms.tsx")).ChangeDialog }));
const LazyOnce = lazy(async () => ({ default: (await import("./dialog-forms.tsx")).ShownOnce }));

export function ChangeDialog(props: ChangeDialogProps) {
  return (
    <Suspense>
      <LazyChange {...props} />
    </Suspense>
  );
}

export function ShownOnce(props: ShownOnceProps) {
  return (
    <Suspense>
      <LazyOnce {...props} />
    </Suspense>
  );
}
