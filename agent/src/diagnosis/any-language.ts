/** Holds the rules for error messages of programs in any language. */

import { quote, type OwnerMessage } from "@tijolo/protocol";
import { quoteFound, type Rule } from "./rule.ts";
import { shellScriptRules } from "./shell-scripts.ts";

export const anyLanguageRules: readonly Rule[] = [
  ...shellScriptRules,
  {
    // The code that Node prints some lines below is that of a full disk: it belongs to this find.
    pattern: /System limit for number of file watchers reached(?:[^]{0,4000}?code: 'ENOSPC')?/,
    explain: () => ({ code: "too_many_watchers" }),
  },
  {
    pattern: /No space left on device|\bENOSPC\b(?!: System limit)|Disk quota exceeded|\bEDQUOT\b/,
    explain: () => ({ code: "disk_full" }),
  },
  {
    pattern: /(?:EADDRINUSE(?!')|[Aa]ddress already in use)(?:[^\n]*?:(\d{1,5})\b)?/,
    explain: ([, port]) => ({ code: "port_in_use", port: quoteFound(port) }),
  },
  {
    pattern:
      /TokenInvalid|An invalid token was provided|Improper token has been passed|LoginFailure|401: Unauthorized[^\n]*(?:bot|token)|TelegramError: 401: Unauthorized|GrammyError: [^\n]*\(401: Unauthorized\)|ETELEGRAM: 401 Unauthorized|telegram\.error\.InvalidToken/i,
    explain: () => ({ code: "bot_token_invalid" }),
  },
  {
    pattern: /Bot Token is required|Error: Empty token!|Telegram Bot Token not provided/,
    explain: () => ({ code: "bot_token_missing" }),
  },
  {
    pattern: /DisallowedIntents|Used disallowed intents|PrivilegedIntentsRequired/,
    explain: () => ({ code: "bot_intents_off" }),
  },
  {
    pattern:
      /(?:ENOTFOUND|(EAI_AGAIN)) ([\w.-]+)|could not translate host name "([^"\n]+)"[^\n]*|lookup ([\w.-]+)(?: on \S+)?: no such host|(?:Name or service not known|Temporary failure in name resolution)/,
    explain: ([, isForNow, byNode, byPostgres, byGo]) =>
      hostNotFound(byNode ?? byPostgres ?? byGo, isForNow !== undefined),
  },
  {
    pattern:
      /ECONNREFUSED (?:127\.0\.0\.1|::1|localhost)(?::(\d+))?|\b(?:localhost|127\.0\.0\.1)\b(?:[^\n]{0,40}?(?:port |:)(\d+))?[^\n]{0,40}?\brefused|connection refused[^\n]{0,30}?\b(?:localhost|127\.0\.0\.1)\b(?::(\d+))?/i,
    explain: ([, byNode, before, after]) => ({
      code: "nothing_on_localhost",
      port: quoteFound(byNode ?? before ?? after),
    }),
  },
  {
    pattern: /(?:^|\n|: )(?:[^\s:]+: )?(?:line )?\d+: (?:exec: )?(\S+): (?:Permission denied|cannot execute)/,
    explain: ([, file]) => ({ code: "file_not_executable", file: quote(file) }),
  },
  {
    pattern: /(?:^|\n)[^\n]*?(?:sh|bash): (?:line )?\d+: (?:exec: )?([^\s:]+): (?:command )?not found/,
    explain: ([, command], { language }) => notFound(command ?? "", language),
  },
  {
    pattern: /\bspawn (\S+) ENOENT/,
    explain: ([, command], { language }) => notFound(command ?? "", language),
  },
];

function hostNotFound(host: string | undefined, isForNow: boolean): OwnerMessage {
  return isForNow
    ? { code: "host_name_unresolved", host: quote(host) }
    : { code: "host_name_unknown", host: quoteFound(host) };
}

const fromPackages: Record<string, string> = {
  git: "git",
  gcc: "build-essential",
  "g++": "build-essential",
  cc: "build-essential",
  make: "build-essential",
  curl: "curl",
  zip: "zip",
  unzip: "unzip",
  convert: "imagemagick",
  magick: "imagemagick",
  sqlite3: "sqlite3",
  dot: "graphviz",
  gs: "ghostscript",
  pdftoppm: "poppler-utils",
  tesseract: "tesseract-ocr",
  python3: "python3",
};

function notFound(command: string, language: string): OwnerMessage {
  const systemPackage = fromPackages[command];
  if (systemPackage !== undefined) return { code: "command_in_system_package", command, systemPackage };
  if (language !== "node") return { code: "command_unknown", command: quote(command) };
  return /^ff(?:mpeg|probe)$/.test(command)
    ? { code: "command_in_static_package", command }
    : { code: "command_unknown_to_node", command: quote(command) };
}
