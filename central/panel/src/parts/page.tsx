/** The head of every page: its title on the page and in the window, with what can be done here beside it. */

import { createContext, use, useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { useRouterState } from "@tanstack/react-router";
import styles from "./page.module.css";

interface PageProps {
  title: string;
  /** One sentence below the title. */
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, intro, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className={styles.page} data-page="">
      <header className={styles.head}>
        <div className={styles.words}>
          <Heading title={title} />
          {intro !== undefined && <p className={styles.intro}>{intro}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** What the pages inside are about, such as a project's name; it stands in the window's title. */
export const TitleScope = createContext<string | null>(null);

/** Names the window together with what it shows; secrets never come into a title. */
export function useTitle(title: string): void {
  const scope = use(TitleScope);
  useLayoutEffect(() => {
    document.title = [title, scope, "Tijolo"].filter((part) => part !== null).join(" · ");
  }, [title, scope]);
}

const overlays = "[role=dialog], [role=alertdialog], [role=menu]";

/**
 * After a change of the address the focus goes to the new page's heading, so that it is read out, unless the page
 * itself took it to a field, or something was opened over the page while it was on its way.
 */
function Heading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation === undefined });
  useEffect(() => {
    const page = heading.current?.closest("[data-page]");
    const focused = document.activeElement;
    const isTaken = page?.contains(focused) === true || focused?.closest(overlays) != null;
    if (!isFirst && !isTaken) heading.current?.focus({ preventScroll: true });
    // Only when the page appears.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={styles.title}>
      {title}
    </h1>
  );
}
