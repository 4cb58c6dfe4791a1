/** A table. Where it does not fit each row becomes a card that names its values. The roles keep the table a table there. */

import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./table.module.css";

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** `end` for numbers and buttons. */
  align?: "end" | undefined;
  /** The cell that names the row; the heading where the row is a card. */
  isRowHeader?: boolean | undefined;
  /** Reads the header aloud and does not show it, as for a column of buttons. */
  isHeaderHidden?: boolean | undefined;
  /** A text of several lines: it has half of the table, and on a card the whole width. */
  isLong?: boolean | undefined;
  /** As narrow as its content. */
  isNarrow?: boolean | undefined;
}

export interface TableProps<Row> {
  /** Says what the table lists; read aloud. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}

export function Table<Row>({ caption, columns, rows, rowKey }: TableProps<Row>) {
  return (
    <div className={styles.room}>
      <table role="table" className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup" className={styles.head}>
          <tr role="row">
            {columns.map((column) => (
              <th key={column.key} role="columnheader" scope="col" className={headerClass(column)}>
                <span className={classNames(column.isHeaderHidden && "visually-hidden")}>
                  {column.header}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" className={styles.row}>
              {columns.map((column) => (
                <TableCell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableCell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const className = classNames(
    styles.cell,
    column.align === "end" && styles.end,
    column.isNarrow && styles.narrow,
    column.isLong && styles.long,
  );
  const content = <div className={styles.content}>{column.cell(row)}</div>;
  if (column.isRowHeader) {
    return (
      <th role="rowheader" scope="row" className={classNames(className, styles.rowHeader)}>
        {content}
      </th>
    );
  }
  return (
    <td role="cell" className={className} data-label={column.isHeaderHidden ? undefined : column.header}>
      {content}
    </td>
  );
}

function headerClass<Row>(column: Column<Row>): string {
  return classNames(styles.header, column.align === "end" && styles.end, column.isNarrow && styles.narrow);
}
