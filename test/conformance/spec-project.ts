/**
 * A project as the specification's table of fields has it: this file knows nothing of the code under test.
 */

export interface SpecProject {
  id: string;
  name: string;
  description: string;
  type: "bot" | "site";
  language: string;
  version: string;
  entry: string | null;
  command: string;
  installCommand: string | null;
  root: string | null;
  systemPackages: string[];
  memoryMb: number;
  port: number | null;
  subdomain: string | null;
  url: string | null;
  internalHost: string;
  status: string;
  error: { code: string; message: string } | null;
  hasAutoRestart: boolean;
  consecutiveCrashes: number;
  lastExit: { code: number; isOutOfMemory: boolean; exitedAt: string } | null;
  usage: { memoryMb: number; cpuPercent: number; networkInBps: number; networkOutBps: number } | null;
  startedAt: string | null;
  templateId: string | null;
  restoredFromBackupId: string | null;
  createdAt: string;
  updatedAt: string;
}

export const statuses = ["creating", "installing", "running", "stopped", "restarting", "crash_loop", "error"];

export const projectErrorCodes = [
  "install_failed",
  "install_timeout",
  "install_out_of_memory",
  "install_interrupted",
  "start_failed",
  "system_packages_failed",
  "process_exited",
  "crash_loop",
];

export const systemPackages = [
  "build-essential",
  "curl",
  "fonts-dejavu-core",
  "fonts-liberation",
  "fonts-noto-cjk",
  "fonts-noto-color-emoji",
  "ghostscript",
  "git",
  "graphviz",
  "imagemagick",
  "libvips-tools",
  "poppler-utils",
  "python3",
  "sqlite3",
  "tesseract-ocr",
  "tesseract-ocr-por",
  "unzip",
  "zip",
];

export const versions: Record<string, readonly string[]> = {
  node: ["20", "22", "24", "26"],
  python: ["3.11", "3.12", "3.13", "3.14"],
  java: ["21", "25"],
  go: ["1.26", "1.27"],
  php: ["8.4", "8.5"],
  ruby: ["3.4", "4.0"],
  dotnet: ["10"],
  elixir: ["1.20"],
  static: [""],
};

type Check = (value: unknown) => boolean;

const timestamp: Check = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const integer: Check = (value) => Number.isInteger(value);
const count: Check = (value) => integer(value) && Number(value) >= 0;
const number: Check = (value) => typeof value === "number" && value >= 0;
const truth: Check = (value) => typeof value === "boolean";
const text =
  (max = Infinity): Check =>
  (value) =>
    typeof value === "string" && Array.from(value).length <= max;
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const object =
  (fields: Record<string, Check>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).sort().join() === Object.keys(fields).sort().join() &&
    Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]));

/** Checks of each field by the type that the table states. */
export const projectFields: Record<keyof SpecProject, Check> = {
  id: matching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  name: text(40),
  description: text(200),
  type: oneOf(["bot", "site"]),
  language: oneOf(Object.keys(versions)),
  version: oneOf(Object.values(versions).flat()),
  entry: nullOr(text()),
  command: text(),
  installCommand: nullOr(text()),
  root: nullOr(text()),
  systemPackages: (value) => Array.isArray(value) && value.every(oneOf(systemPackages)),
  memoryMb: integer,
  port: nullOr(integer),
  subdomain: nullOr(text()),
  url: nullOr((value) => URL.canParse(String(value))),
  internalHost: matching(/^svc-[0-9a-z]{8}$/),
  status: oneOf(statuses),
  error: nullOr(object({ code: oneOf(projectErrorCodes), message: text() })),
  hasAutoRestart: truth,
  consecutiveCrashes: count,
  lastExit: nullOr(object({ code: integer, isOutOfMemory: truth, exitedAt: timestamp })),
  usage: nullOr(object({ memoryMb: count, cpuPercent: number, networkInBps: count, networkOutBps: count })),
  startedAt: nullOr(timestamp),
  templateId: nullOr(text()),
  restoredFromBackupId: nullOr(matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  createdAt: timestamp,
  updatedAt: timestamp,
};

/** Returns the names of fields that are missing or of another type, or unknown to the table. */
export function wrongFields(project: object): string[] {
  const values = new Map(Object.entries(project));
  const wrong = Object.entries(projectFields).filter(
    ([name, check]) => !values.has(name) || !check(values.get(name)),
  );
  const unknown = [...values.keys()].filter((name) => !Object.hasOwn(projectFields, name));
  return [...wrong.map(([name]) => name), ...unknown];
}
