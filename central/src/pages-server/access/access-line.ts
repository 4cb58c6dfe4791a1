/**
 * Writes a visit as a line of an access log, much as web servers do: address, request, status, bytes, time,
 * referrer and user agent. What a visitor sent is quoted, so that it can end neither its field nor the line.
 */

import { maxAccessLineLength, type AccessLog } from "@tijolo/protocol";
import { parseAddress } from "../visits/address.ts";
import type { Visit } from "../visits/visit.ts";

const longest = { method: 32, path: 1_024, referrer: 256, userAgent: 256 };
/** Everything but printable ASCII, and what quotes. */
const unsafe = /[^\x20-\x7e]|["\\]/gu;

export function accessLine(visit: Visit, mode: Exclude<AccessLog, "off">): string {
  const { method, path, status, bytes, durationMs, referrer, userAgent } = visit;
  const request = `${method.slice(0, longest.method)} ${path.slice(0, longest.path)}`;
  const fields = [
    mode === "full" ? fullAddress(visit.address) : shortAddress(visit.address),
    quoted(request),
    String(status),
    String(bytes),
    `${Math.round(durationMs)}ms`,
    quoted(referrer.slice(0, longest.referrer) || "-"),
    quoted(userAgent.slice(0, longest.userAgent) || "-"),
  ];
  return fields.join(" ").slice(0, maxAccessLineLength);
}

function fullAddress(address: string): string {
  return parseAddress(address) === undefined ? "-" : address;
}

/** Returns the network: of IPv4 the /24, of IPv6 the /48. */
export function shortAddress(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) return "-";
  if (address.family === 4) {
    const { value } = address;
    return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, 0].join(".");
  }
  const groups = [address.high >>> 16, address.high & 0xff_ff, address.low >>> 16];
  return `${groups.map((group) => group.toString(16)).join(":")}::`;
}

function quoted(text: string): string {
  return `"${text.replace(unsafe, escaped)}"`;
}

function escaped(character: string): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
