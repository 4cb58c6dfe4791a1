/** Reads `Accept-Encoding` (RFC 9110, 12.5.3). */

/** True only when the coding is named: `negotiator` also takes `*` for it. */
export function acceptsCoding(header: string | string[] | undefined, wanted: string): boolean {
  return String(header ?? "")
    .split(",")
    .some((coding) => {
      const [name, ...weights] = coding.split(";").map((part) => part.trim().toLowerCase());
      return name === wanted && !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight));
    });
}
