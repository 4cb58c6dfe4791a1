/** Wraps the whole panel: keeps Base UI from writing `<style>` elements, which the content security policy refuses. */

import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";

export function Csp({ children }: { children: ReactNode }) {
  return <CSPProvider disableStyleElements>{children}</CSPProvider>;
}
