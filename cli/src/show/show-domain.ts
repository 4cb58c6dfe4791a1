/** Shows a domain: its state, and the DNS records that it needs beside those that were found. */

import type { Domain, DomainRecord } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { formatTable, formatTime } from "./format.ts";
import { printable } from "./printable.ts";

export function showDomain({ output, messages }: CommandContext, domain: Domain): void {
  const { domain: texts, locale } = messages;
  const { hostname, unicodeHostname, status, redirectTo, records, error, checkedAt } = domain;
  const name = unicodeHostname === hostname ? hostname : `${unicodeHostname} (${hostname})`;
  const target = redirectTo === null ? "" : ` ${texts.redirects(printable(redirectTo))}`;
  const checked =
    checkedAt === null ? texts.notChecked : texts.checked(formatTime(Date.parse(checkedAt), locale));
  output.line(`${output.style("bold", printable(name))}${target}  ${texts.statuses[status]}, ${checked}`);
  if (error !== null) output.line(`  ${printable(error.message)}`);
  if (status === "active") output.line(`  ${texts.https(certificateText())}`);
  const byCname = records.filter(({ way }) => way === "cname");
  const byAddresses = records.filter(({ way }) => way === "addresses");
  if (byCname.length > 0) showRecords(texts.byCname, byCname);
  showRecords(byCname.length > 0 ? texts.byAddresses : texts.onlyAddresses, byAddresses);

  function certificateText(): string {
    const { status: state, issuer, expiresAt, isOwn, error: fault } = domain.certificate;
    if (state !== "active") return fault === null ? texts.certificates[state] : printable(fault.message);
    const until = expiresAt === null ? "" : formatTime(Date.parse(expiresAt), locale);
    return texts.certificateUntil(printable(issuer ?? ""), until, isOwn);
  }

  function showRecords(title: string, group: readonly DomainRecord[]): void {
    output.line(`  ${title}`);
    const lines = formatTable([
      ["", texts.record, "", texts.wanted, texts.found],
      ...group.map(({ isRight, type, name, value, found }) => [
        isRight ? "✓" : "·",
        type,
        name,
        value,
        found.length === 0 ? "-" : found.join(", "),
      ]),
    ]);
    for (const line of lines) output.line(`    ${line}`);
  }
}
