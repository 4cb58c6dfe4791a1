/**
 * A field over the page with the list of what answers to it: arrows choose, Enter takes. The focus stays in the
 * field, which names the chosen row (the pattern of a combobox). Load it lazily: it brings Base UI.
 */

import { Dialog as Base } from "@base-ui/react/dialog";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { SearchIcon, XIcon, type Icon } from "../../design/icons/icons.tsx";
import { IconButton } from "../actions/icon-button.tsx";
import { classNames } from "../class-names.ts";
import styles from "./palette.module.css";

export interface PaletteItem {
  key: string;
  label: string;
  /** Words beside the label. */
  detail?: string | undefined;
  icon?: Icon | undefined;
  /** The reason why it cannot be taken now. */
  why?: string | undefined;
  onSelect: () => void;
}

export interface PaletteGroup {
  key: string;
  label: string;
  items: readonly PaletteItem[];
}

export interface PaletteProps {
  onClose: () => void;
  title: string;
  inputLabel: string;
  resultsLabel: string;
  query: string;
  onQuery: (query: string) => void;
  groups: readonly PaletteGroup[];
  /** Said when nothing answers. */
  emptySentence: string;
  closeWord: string;
  /** A line at the foot: which keys do what. */
  hint: string;
}

export function Palette(props: PaletteProps) {
  const { onClose, title, inputLabel, resultsLabel, query, onQuery, groups } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const items = groups.flatMap((group) => group.items);
  const [chosen, setChosen] = useState(0);
  const active = Math.min(chosen, Math.max(0, items.length - 1));
  const idOf = (index: number) => `${id}-${index}`;
  useEffect(() => {
    document.getElementById(idOf(active))?.scrollIntoView({ block: "nearest" });
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [active, query]);

  const take = (item: PaletteItem | undefined) => {
    if (item === undefined || item.why !== undefined) return;
    onClose();
    item.onSelect();
  };
  const press = (event: KeyboardEvent) => {
    const next = movedBy(event, active, items.length);
    if (next !== null) setChosen(next);
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) take(items[active]);
    else return;
    event.preventDefault();
  };

  return (
    <Base.Root open onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Popup className={styles.palette} initialFocus={input}>
          <Base.Title className="visually-hidden">{title}</Base.Title>
          <div className={styles.head}>
            <SearchIcon size={18} />
            <input
              ref={input}
              className={styles.input}
              role="combobox"
              aria-label={inputLabel}
              aria-expanded={items.length > 0}
              aria-controls={id}
              aria-autocomplete="list"
              aria-activedescendant={items.length > 0 ? idOf(active) : undefined}
              autoComplete="off"
              spellCheck={false}
              placeholder={inputLabel}
              value={query}
              onChange={(event) => {
                setChosen(0);
                onQuery(event.target.value);
              }}
              onKeyDown={press}
            />
            <Base.Close render={<IconButton label={props.closeWord} icon={XIcon} />} />
          </div>
          <div className={styles.results} id={id} role="listbox" aria-label={resultsLabel}>
            <Groups groups={groups} active={active} idOf={idOf} onPoint={setChosen} onTake={take} />
          </div>
          <p role="status" className={items.length === 0 ? styles.empty : "visually-hidden"}>
            {items.length === 0 ? props.emptySentence : ""}
          </p>
          <p className={styles.hint}>{props.hint}</p>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface GroupsProps {
  groups: readonly PaletteGroup[];
  active: number;
  idOf: (index: number) => string;
  onPoint: (index: number) => void;
  onTake: (item: PaletteItem) => void;
}

function Groups({ groups, active, idOf, onPoint, onTake }: GroupsProps) {
  let index = 0;
  return groups.map((group) => (
    <div key={group.key} role="group" aria-labelledby={`${idOf(0)}-${group.key}`}>
      <div className={styles.group} id={`${idOf(0)}-${group.key}`} role="presentation">
        {group.label}
      </div>
      {group.items.map((item) => {
        const own = index++;
        return (
          <Row
            key={item.key}
            item={item}
            id={idOf(own)}
            isActive={own === active}
            onPoint={() => onPoint(own)}
            onTake={() => onTake(item)}
          />
        );
      })}
    </div>
  ));
}

interface RowProps {
  item: PaletteItem;
  id: string;
  isActive: boolean;
  onPoint: () => void;
  onTake: () => void;
}

function Row({ item, id, isActive, onPoint, onTake }: RowProps) {
  const Picture = item.icon;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={item.why !== undefined}
      className={classNames(styles.item, isActive && styles.active)}
      onPointerMove={onPoint}
      onClick={onTake}
    >
      <span className={styles.icon}>{Picture && <Picture />}</span>
      <span className={styles.label}>{item.label}</span>
      <span className={styles.detail}>{item.why ?? item.detail}</span>
    </div>
  );
}

/** The place after an arrow key, around the ends; null for other keys. */
function movedBy({ key }: KeyboardEvent, from: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (from + 1) % count;
    case "ArrowUp":
      return (from - 1 + count) % count;
    case "PageDown":
      return Math.min(from + 8, count - 1);
    case "PageUp":
      return Math.max(from - 8, 0);
    default:
      return null;
  }
}
