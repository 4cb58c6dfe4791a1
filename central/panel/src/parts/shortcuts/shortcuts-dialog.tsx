/** The list of the keys. Load it lazily: it brings the dialog. */

import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { useSession } from "../../api/session.ts";
import { usePreferences } from "../../preferences/preferences.ts";
import { useTexts } from "../../texts/in-both.ts";
import { shortcutsTexts } from "../../texts/shortcuts.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Kbd } from "../../ui/marks/kbd.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { shortcutKeys, type Shortcut } from "./keys.ts";
import styles from "./shortcuts-dialog.module.css";
import { isMac } from "./use-shortcuts.ts";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts(shortcutsTexts);
  const { hasSingleKeys } = usePreferences();
  const isOperator = useSession()?.person.operatorRole != null;
  const list = useRef<HTMLDListElement>(null);
  const names = Object.keys(shortcutKeys) as Shortcut[];
  return (
    <Dialog isOpen onClose={onClose} title={texts.title} closeWord={texts.close} focusFirst={list}>
      {!hasSingleKeys && (
        <Banner
          tone="info"
          title={texts.areOff}
          actions={
            <Link to="/account/preferences" onClick={onClose}>
              {texts.preferences}
            </Link>
          }
        />
      )}
      <dl ref={list} tabIndex={-1} className={styles.keys}>
        <Row word={texts.palette} keys={[isMac ? "⌘ K" : "Ctrl K"]} />
        {names
          .filter((name) => name !== "cluster" || isOperator)
          .map((name) => (
            <Row key={name} word={texts[name]} keys={shortcutKeys[name]} isOff={!hasSingleKeys} />
          ))}
      </dl>
    </Dialog>
  );
}

function Row({ word, keys, isOff = false }: { word: string; keys: readonly string[]; isOff?: boolean }) {
  const { then } = useTexts(shortcutsTexts);
  return (
    <div className={isOff ? styles.off : undefined}>
      <dt>{word}</dt>
      <dd>
        {keys.map((key, index) => (
          <span key={key}>
            {index > 0 && <span className={styles.then}> {then} </span>}
            <Kbd>{key}</Kbd>
          </span>
        ))}
      </dd>
    </div>
  );
}
