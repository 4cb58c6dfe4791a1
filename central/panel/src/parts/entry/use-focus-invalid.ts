/** Brings the focus to what was refused, so that it is read aloud and can be typed again. */

import { useEffect, useRef, type RefObject } from "react";

export function useFocusInvalid(error: Error | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [error]);
  return form;
}
