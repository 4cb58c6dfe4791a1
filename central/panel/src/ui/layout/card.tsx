/** A surface that holds what belongs together. */

import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./card.module.css";

export interface CardProps extends ComponentProps<"div"> {
  /** Without the space inside, for a table or a log that fills the card. */
  isFlush?: boolean | undefined;
}

export function Card({ isFlush = false, className, ...rest }: CardProps) {
  return <div {...rest} className={classNames(styles.card, !isFlush && styles.padded, className)} />;
}

export interface TitledCardProps {
  title: ReactNode;
  /** One sentence below the title. */
  description?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** 2 when left out. */
  level?: 2 | 3 | undefined;
  isFlush?: boolean | undefined;
  /** Puts the title beside the content on a wide window, for a form. */
  isSplit?: boolean | undefined;
  /** A red edge, for actions that cannot be undone. */
  isDangerous?: boolean | undefined;
  children: ReactNode;
}

export function TitledCard(props: TitledCardProps) {
  const { title, description, actions, level = 2, children } = props;
  const { isFlush = false, isSplit = false, isDangerous = false } = props;
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <section
      aria-labelledby={id}
      className={classNames(styles.card, isSplit && styles.split, isDangerous && styles.dangerous)}
    >
      <header className={styles.header}>
        <div className={styles.titles}>
          <Heading id={id}>{title}</Heading>
          {description !== undefined && <p className={styles.description}>{description}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={isFlush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
