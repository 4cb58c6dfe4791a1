/**
 * Defines the versions of the link. Fields that the other side does not know are ignored, so most changes
 * need no new version. A new version is needed for what the other side must know: a request (`since` of its
 * row in `host-requests.ts`), or a field of an assignment, of which both sides compare hashes.
 */

/** Range of versions that one program speaks; central chooses the highest that both sides do. */
export interface LinkProtocol {
  min: number;
  max: number;
  /**
   * Fields of an assignment that version `min` does not have, as `disks` or `settings.disks`, by the version
   * that brought each. Their schemas are optional.
   */
  assignmentFields: Readonly<Record<string, number>>;
}

export const linkProtocol: LinkProtocol = {
  min: 1,
  max: 7,
  assignmentFields: { "settings.onFailure": 2, health: 4, drainSeconds: 5, deploy: 7 },
};

/** Returns the version that both sides speak; undefined when there is none. */
export function commonProtocol(
  own: Pick<LinkProtocol, "min" | "max">,
  other: Pick<LinkProtocol, "min" | "max">,
): number | undefined {
  const highest = Math.min(own.max, other.max);
  return highest < Math.max(own.min, other.min) ? undefined : highest;
}

/** Returns an assignment, or its outline, without the fields that came after `version`. */
export function asOfProtocol<Part extends object>(
  part: Part,
  version: number,
  { assignmentFields }: Pick<LinkProtocol, "assignmentFields">,
): Part {
  const later = Object.keys(assignmentFields).filter((field) => (assignmentFields[field] ?? 0) > version);
  return later.reduce((rest, field) => without(rest, field.split(".")), part);
}

function without<Value>(value: Value, [name = "", ...inner]: string[]): Value {
  if (typeof value !== "object" || value === null || !(name in value)) return value;
  const { [name]: field, ...rest } = value as Record<string, unknown>;
  return (inner.length === 0 ? rest : { ...rest, [name]: without(field, inner) }) as Value;
}
