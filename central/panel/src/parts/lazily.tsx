/**
 * Shows a part that is loaded when it is first needed. One that does not come, for example after an update of the
 * server, is told in a toast, and takes nothing of the page around it along.
 */

import { Component, Suspense, type ReactNode } from "react";
import { textsNow } from "../texts/in-both.ts";
import { readingTexts } from "../texts/reading.ts";
import { tell } from "../ui/overlays/toast-store.ts";

interface LazilyProps {
  children: ReactNode;
  /** Called when it does not come, so that nothing waits for it. Default: nothing does. */
  onMissing?: () => void;
}

export class Lazily extends Component<LazilyProps, { isMissing: boolean }> {
  override state = { isMissing: false };

  static getDerivedStateFromError(): { isMissing: boolean } {
    return { isMissing: true };
  }

  override componentDidCatch(): void {
    tell({ tone: "warn", text: textsNow(readingTexts).partMissing });
    this.props.onMissing?.();
  }

  override render(): ReactNode {
    return this.state.isMissing ? null : <Suspense>{this.props.children}</Suspense>;
  }
}
