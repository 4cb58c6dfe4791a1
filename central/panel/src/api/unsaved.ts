/**
 * Knows whether something on the page would be lost by loading it again: a form with changes, an upload on its
 * way. A new build of the panel is not taken by itself meanwhile.
 */

import { useEffect } from "react";

const held = new Set<symbol>();

/** Called by what holds it, with whether there is something to lose at this moment. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const own = Symbol("unsaved");
    held.add(own);
    return () => void held.delete(own);
  }, [isDirty]);
}

export function hasUnsaved(): boolean {
  return held.size > 0;
}
