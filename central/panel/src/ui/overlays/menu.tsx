/** A button that opens a list of actions. Load it lazily: it brings Base UI. */

import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { EllipsisIcon, type Icon } from "../../design/icons/icons.tsx";
import { IconButton } from "../actions/icon-button.tsx";
import { classNames } from "../class-names.ts";
import styles from "./menu.module.css";

export interface MenuAction {
  key: string;
  label: ReactNode;
  icon?: Icon | undefined;
  onSelect?: (() => void) | undefined;
  /** A link in the place of an action: an `<a>` or the router's link, without children. */
  link?: ReactElement | undefined;
  /** The reason why it cannot be chosen now; shown below the label. */
  why?: string | undefined;
  isDangerous?: boolean | undefined;
  /** Draws a line above. */
  isApart?: boolean | undefined;
}

export interface MenuProps {
  /** The label of the button with three dots. Not needed beside `trigger`. */
  label: string;
  items: readonly MenuAction[];
  /** Another button in the place of the three dots: one element that passes its props on. */
  trigger?: ReactElement | undefined;
  /** Text above the actions, such as the address of the account. */
  heading?: ReactNode;
}

export function Menu({ label, items, trigger, heading }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger ?? <IconButton label={label} icon={EllipsisIcon} />} />
      <Base.Portal>
        <Base.Positioner className={styles.place} align="end" sideOffset={4} collisionPadding={8}>
          <Base.Popup className={styles.menu}>
            {heading !== undefined && <div className={styles.heading}>{heading}</div>}
            {items.map((item) => (
              <MenuEntry key={item.key} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function MenuEntry({ item }: { item: MenuAction }) {
  const Picture = item.icon;
  const className = classNames(styles.item, item.isDangerous && styles.dangerous);
  const content = (
    <>
      <span className={styles.icon}>{Picture && <Picture />}</span>
      <span className={styles.words}>
        <span>{item.label}</span>
        {item.why !== undefined && <span className={styles.why}>{item.why}</span>}
      </span>
    </>
  );
  return (
    <>
      {item.isApart && <Base.Separator className={styles.line} />}
      {item.link && item.why === undefined ? (
        <Base.LinkItem className={className} render={item.link} closeOnClick>
          {content}
        </Base.LinkItem>
      ) : (
        <Base.Item className={className} disabled={item.why !== undefined} onClick={() => item.onSelect?.()}>
          {content}
        </Base.Item>
      )}
    </>
  );
}
