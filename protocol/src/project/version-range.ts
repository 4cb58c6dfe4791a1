/** Decides whether a version of a runtime that exists here can satisfy what a project's file asks for. */

type Numbers = readonly [major: number, minor: number, patch: number];

/** Versions from `from` up to, and without, `to`. */
interface Interval {
  from: Numbers;
  to: Numbers;
}

const everything: Interval = { from: [0, 0, 0], to: [Infinity, 0, 0] };

/**
 * True when a release of `version` (`22`, `3.12`) lies in the range, as npm writes ranges. A version here
 * stands for all its releases, so that `22.3.0` is satisfied by `22`. Undefined: the text is no range.
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const own = intervalOf(version);
  if (own === undefined) return undefined;
  const parts = range.split("||").map(intervalOfPart);
  if (parts.includes(undefined)) return undefined;
  return parts.some(
    (part) => part !== undefined && isBefore(later(part.from, own.from), earlier(part.to, own.to)),
  );
}

/** Returns the versions that all comparators of one part allow. */
function intervalOfPart(part: string): Interval | undefined {
  const hyphened = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(part);
  const text = hyphened === null ? part : `>=${hyphened[1]} <=${hyphened[2]}`;
  const comparators = text.replaceAll(/([<>=^~])\s+/g, "$1").split(/[\s,]+/);
  let all: Interval | undefined = everything;
  for (const comparator of comparators) {
    if (comparator === "") continue;
    const next = intervalOfComparator(comparator);
    if (next === undefined) return undefined;
    all = { from: later(all.from, next.from), to: earlier(all.to, next.to) };
  }
  return all;
}

function intervalOfComparator(comparator: string): Interval | undefined {
  const [, operator = "", version = ""] = /^(>=|<=|>|<|\^|~>?|==?)?(.*)$/.exec(comparator) ?? [];
  const interval = intervalOf(version);
  if (interval === undefined) return undefined;
  const { from, to } = interval;
  switch (operator) {
    case ">=":
      return { from, to: everything.to };
    case ">":
      return { from: to, to: everything.to };
    case "<":
      return { from: everything.from, to: from };
    case "<=":
      return { from: everything.from, to };
    case "^":
      return { from, to: later(to, [from[0] + 1, 0, 0]) };
    case "~":
    case "~>":
      return { from, to: later(to, [from[0], from[1] + 1, 0]) };
    default:
      return interval;
  }
}

/** Returns the releases of a version whose last numbers may be missing or `x`. */
function intervalOf(text: string): Interval | undefined {
  if (/^[x*]$/i.test(text)) return everything;
  const match = /^v?(\d{1,6})(?:\.(\d{1,6}|[x*]))?(?:\.(\d{1,6}|[x*]))?(?:[-+][\w.+-]*)?$/i.exec(text);
  if (match === null) return undefined;
  const major = Number(match[1]);
  const minor = Number(match[2] ?? NaN);
  const patch = Number(match[3] ?? NaN);
  if (Number.isNaN(minor)) return { from: [major, 0, 0], to: [major + 1, 0, 0] };
  if (Number.isNaN(patch)) return { from: [major, minor, 0], to: [major, minor + 1, 0] };
  return { from: [major, minor, patch], to: [major, minor, patch + 1] };
}

function isBefore(one: Numbers, other: Numbers): boolean {
  const index = [0, 1, 2].find((place) => one[place] !== other[place]);
  return index !== undefined && (one[index] ?? 0) < (other[index] ?? 0);
}

function later(one: Numbers, other: Numbers): Numbers {
  return isBefore(one, other) ? other : one;
}

function earlier(one: Numbers, other: Numbers): Numbers {
  return isBefore(one, other) ? one : other;
}
