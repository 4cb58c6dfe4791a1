/** What programs of any language say when they fail. */

import { quote, type Rule } from "./rule.ts";

export const anyLanguageRules: readonly Rule[] = [
  {
    // The code that Node prints some lines below is that of a full disk: it belongs to this find.
    pattern: /System limit for number of file watchers reached(?:[^]{0,4000}?code: 'ENOSPC')?/,
    explain: () =>
      "O programa vigia arquivos demais (modo de desenvolvimento, como nodemon ou vite dev). Use o comando de produção.",
  },
  {
    pattern: /No space left on device|\bENOSPC\b(?!: System limit)|Disk quota exceeded|\bEDQUOT\b/,
    explain: () =>
      "O disco do projeto está cheio. Apague arquivos que ele gravou ou mude para um plano com mais disco.",
  },
  {
    pattern: /(?:EADDRINUSE(?!')|[Aa]ddress already in use)(?:[^\n]*?:(\d{1,5})\b)?/,
    explain: ([, port]) =>
      `A porta${port === undefined ? "" : ` ${port}`} já está em uso: o programa a abre duas vezes. Chame listen uma vez só e inicie um processo só.`,
  },
  {
    pattern:
      /TokenInvalid|An invalid token was provided|Improper token has been passed|LoginFailure|401: Unauthorized[^\n]*(?:bot|token)/i,
    explain: () =>
      "O token do bot é inválido ou não chegou. Confira o valor nas Variáveis de ambiente (sem aspas e sem espaços) e gere outro token se preciso.",
  },
  {
    pattern: /DisallowedIntents|Used disallowed intents|PrivilegedIntentsRequired/,
    explain: () =>
      "O bot pede intents que não estão ligados. Ligue-os no portal de desenvolvedores do Discord, em Bot, Privileged Gateway Intents.",
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
    explain: ([, byNode, before, after]) => nothingOnLocalhost(byNode ?? before ?? after),
  },
  {
    pattern: /(?:^|\n|: )(?:[^\s:]+: )?(?:line )?\d+: (?:exec: )?(\S+): (?:Permission denied|cannot execute)/,
    explain: ([, file]) =>
      `${quote(file)} não pode ser executado. Rode-o pelo interpretador (por exemplo sh arquivo.sh) ou dê a permissão antes de zipar.`,
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

function hostNotFound(host: string | undefined, isForNow: boolean): string {
  if (isForNow) return `O nome ${quote(host)} não pôde ser resolvido agora. Confira o nome e tente de novo.`;
  const named = host === undefined ? "" : ` ${quote(host)}`;
  return `O endereço${named} não foi encontrado. Confira o nome; outro projeto da conta só responde por svc-… enquanto está No ar.`;
}

function nothingOnLocalhost(port: string | undefined): string {
  const place = port === undefined ? "localhost" : `localhost:${quote(port)}`;
  return `O programa tentou falar com um serviço em ${place}, e ali só há o próprio projeto. Use o endereço do banco ou do outro projeto (svc-…).`;
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

function notFound(command: string, language: string): string {
  const systemPackage = fromPackages[command];
  if (systemPackage !== undefined)
    return `O comando ${command} não está instalado. Acrescente ${systemPackage} em systemPackages e envie de novo.`;
  if (language === "node" && /^ff(?:mpeg|probe)$/.test(command))
    return `O ${command} não está entre os pacotes daqui. Ponha ${command}-static em dependencies e use o caminho que ele dá.`;
  if (language === "node")
    return `O comando ${quote(command)} não existe aqui. Se vem de um pacote, ponha-o em dependencies do package.json; senão confira command.`;
  return `O comando ${quote(command)} não existe aqui. Confira command e installCommand, e a linguagem escolhida.`;
}
