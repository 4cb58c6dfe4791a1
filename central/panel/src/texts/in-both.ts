/** Joins the texts of a page in both languages; a text that one of them lacks does not compile. */

import { preferences, usePreferences, type Language } from "../preferences/preferences.ts";

export type InBoth<Table> = Record<Language, Table>;

/** `pt` is the table as written, `en` the same keys with the same types. */
export function inBoth<Table extends object>(pt: Table, en: NoInfer<Texts<Table>>): InBoth<Texts<Table>> {
  return { pt: pt as Texts<Table>, en };
}

/** The type of a table of texts: literals widened, functions with their arguments. */
export type Texts<Table> = {
  [Key in keyof Table]: Table[Key] extends string
    ? string
    : Table[Key] extends (...args: infer Args) => string
      ? (...args: Args) => string
      : Table[Key] extends object
        ? Texts<Table[Key]>
        : Table[Key];
};

/** Texts in the chosen language, again when the choice changes. */
export function useTexts<Table>(texts: InBoth<Table>): Table {
  return texts[usePreferences().language];
}

/** Texts in the chosen language, outside of a component. */
export function textsNow<Table>(texts: InBoth<Table>): Table {
  return texts[preferences().language];
}
