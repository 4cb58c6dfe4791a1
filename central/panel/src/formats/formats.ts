/** Shows times, durations and amounts as people of the chosen language write them. */

import { preferences, type Language } from "../preferences/preferences.ts";

const locales: Record<Language, string> = { pt: "pt-BR", en: "en" };

/** The locale for `Intl`, in the chosen language. */
export function locale(): string {
  return locales[preferences().language];
}

const made = new Map<string, Intl.DateTimeFormat>();

function dateFormat(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale()} ${name}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat(locale(), options);
  made.set(key, format);
  return format;
}

/** "14:32:05" */
export function clockTime(at: string | number | Date): string {
  return dateFormat("clock", { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false }).format(
    new Date(at),
  );
}

/** "24 de nov. de 2026, 14:32" */
export function dateTime(at: string | number | Date): string {
  return dateFormat("date-time", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
}

/** "24 de nov. de 2026" */
export function day(at: string | number | Date): string {
  return dateFormat("day", { dateStyle: "medium" }).format(new Date(at));
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** "há 3 min" for what has happened. What the server's clock puts ahead of this one's is "agora". */
export function ago(at: string | number | Date, now: number = Date.now()): string {
  const seconds = Math.min(0, (new Date(at).getTime() - now) / 1000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" }).format(
    Math.trunc(seconds / size),
    unit,
  );
}

/** "3 min", "2 h", "5 d": a span in its largest unit. */
export function duration(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["second", 1];
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: seconds < 10 ? 1 : 0,
  }).format(seconds / size);
}

export function integer(value: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 }).format(value);
}

/** "2,5%" of one core. */
export function percent(value: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 1 }).format(value / 100);
}

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** "1,4 MB"; a kilobyte is 1024 bytes, as in the rest of Tijolo. */
export function bytes(count: number): string {
  const power = count < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log2(count) / 10));
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: byteUnits[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(count / 1024 ** power);
}

/** "512 MB", "1,5 GB", "64 GB" */
export function megabytes(count: number): string {
  return count < 1024 ? `${integer(count)} MB` : bytes(count * 1024 * 1024);
}
