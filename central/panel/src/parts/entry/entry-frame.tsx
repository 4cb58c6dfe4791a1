/** What stands around the pages of strangers: the logo, the language, and room for one form. */

import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Logo } from "../../design/logo.tsx";
import { languages, setPreferences, usePreferences } from "../../preferences/preferences.ts";
import styles from "./entry-frame.module.css";

const names = { pt: "Português", en: "English" };

/** Route component: the page of the address stands in it. */
export function EntryFrame() {
  return (
    <EntrySurroundings>
      <Outlet />
    </EntrySurroundings>
  );
}

export function EntrySurroundings({ children }: { children: ReactNode }) {
  const { language } = usePreferences();
  return (
    <div className={styles.frame}>
      <header className={styles.top}>
        <span className={styles.logo}>
          <Logo size={32} />
        </span>
        <span className={styles.name}>Tijolo</span>
      </header>
      <main className={styles.content}>{children}</main>
      <footer className={styles.foot}>
        {languages.map((name) => (
          <button
            key={name}
            type="button"
            lang={name === "pt" ? "pt-BR" : "en"}
            aria-pressed={name === language}
            className={styles.language}
            onClick={() => setPreferences({ language: name })}
          >
            {names[name]}
          </button>
        ))}
      </footer>
    </div>
  );
}
