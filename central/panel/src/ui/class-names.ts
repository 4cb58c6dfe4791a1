/** Joins the class names that apply; a condition that does not hold gives `false` or `undefined` and is left out. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
