/** Acts on the keys of the whole page: the palette's always, single keys unless the person switched them off. */

import { useNavigate, useParams, type NavigateFn } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";
import { useSession } from "../../api/session.ts";
import { preferences } from "../../preferences/preferences.ts";
import { readKey, type FirstKey, type Shortcut } from "./keys.ts";

interface ShortcutActs {
  onPalette: () => void;
  /** True once the palette was asked for: it may still be on its way. */
  isPaletteAsked: boolean;
  /** Receives what is typed until the palette has the keyboard. */
  onTypedAhead: (character: string) => void;
  onList: () => void;
}

export function useShortcuts(acts: ShortcutActs): void {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const isOperator = useSession()?.person.operatorRole != null;
  const latest = useRef(act);
  latest.current = act;

  function act(shortcut: Shortcut): boolean {
    if (shortcut === "search") return focusSearch();
    if (shortcut === "list") acts.onList();
    else if (shortcut === "cluster" && !isOperator) return false;
    else if (shortcut === "logs") {
      if (projectId === undefined) return false;
      void navigate({ to: "/projects/$projectId/logs", params: { projectId } });
    } else go(navigate, shortcut);
    return true;
  }

  const current = useRef(acts);
  current.current = acts;
  // Before the page is painted: a key that is pressed as soon as it is seen is not lost.
  useLayoutEffect(() => {
    let first: FirstKey | null = null;
    const listen = (event: KeyboardEvent) => {
      if (current.current.isPaletteAsked && isAhead(event)) {
        event.preventDefault();
        return event.key === "Enter" ? enterPalette() : current.current.onTypedAhead(event.key);
      }
      if (event.defaultPrevented || event.isComposing || isOverlaid()) return;
      if (isPaletteKey(event)) {
        event.preventDefault();
        return current.current.onPalette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (!preferences().hasSingleKeys || event.key.length !== 1) return;
      const read = readKey(first, event.key, event.timeStamp);
      first = typeof read === "object" ? read : null;
      if (typeof read === "string" && latest.current(read)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

const places = { projects: "/", notices: "/notices", account: "/account", cluster: "/cluster" } as const;

function go(navigate: NavigateFn, place: keyof typeof places): void {
  void navigate({ to: places[place] });
}

/** Command on a Mac, where Control K cuts the rest of a line; Control elsewhere. */
export const isMac = /^(Mac|iP)/.test(navigator.platform);

function isPaletteKey(event: KeyboardEvent): boolean {
  const isHeld = isMac ? event.metaKey : event.ctrlKey;
  return isHeld && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k";
}

/** True for Enter, and a character, that are meant for the palette before its field has the focus. */
function isAhead({ key, ctrlKey, metaKey, altKey, isComposing, target }: KeyboardEvent): boolean {
  if ((key.length !== 1 && key !== "Enter") || ctrlKey || metaKey || altKey || isComposing) return false;
  return !(target instanceof Element && target.closest('[role="dialog"]') !== null);
}

/** Hands Enter on to the palette, if it is there; otherwise it presses nothing of the page behind. */
function enterPalette(): void {
  const field = document.querySelector('[role="dialog"] [role="combobox"]');
  field?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
}

/** True while a dialog or a menu has the keyboard. */
function isOverlaid(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}

const typed =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="file"]), textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"], [role="combobox"], [role="listbox"]';

/** True for keys that are part of a text, also in an editor within a shadow root. */
function isTyping(event: KeyboardEvent): boolean {
  return event.composedPath().some((target) => target instanceof Element && target.matches(typed));
}

/** The first field of search on the page that is seen. */
function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type="search"]');
  const field = [...fields].find((candidate) => candidate.checkVisibility());
  field?.focus();
  field?.select();
  return field !== undefined;
}
