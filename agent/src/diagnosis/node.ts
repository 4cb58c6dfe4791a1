/** What Node and its package managers say. */

import { place, quote, type Rule } from "./rule.ts";

export const nodeRules: readonly Rule[] = [
  {
    // npm only warns of a dependency's wish; what fails then fails of something else.
    pattern:
      /npm (?:error|ERR!) code EBADENGINE(?:[^]*?Required: \{"node":"([^"\n]+)")?|ERR_PNPM_UNSUPPORTED_ENGINE(?:[^]*?Expected version: (\S+))?|The engine "node" is incompatible with this module(?:[^\n]*?Expected version "([^"]+)")?/,
    explain: ([, byNpm, byPnpm, byYarn], { version }) =>
      `Um pacote não aceita o Node ${version}${asking(byNpm ?? byPnpm ?? byYarn)}. Mude version do projeto para um Node que ele aceite.`,
  },
  {
    pattern: /NODE_MODULE_VERSION|was compiled against a different Node\.js version/,
    explain: (_, { version }) =>
      `Um módulo foi compilado para outra versão do Node; aqui roda o Node ${version}. Não envie node_modules no .zip, ou mude version, e envie de novo.`,
  },
  {
    pattern: /Error: No such module: (\w+)\n[^\n]*process\.binding/,
    explain: ([, name], { version }) =>
      `Uma biblioteca usa uma parte interna do Node (${quote(name)}) que o Node ${version} não tem mais. Mude version do projeto para um Node anterior, ou atualize a biblioteca.`,
  },
  {
    pattern: /invalid ELF header|wrong ELF class|Exec format error/,
    explain: () =>
      "O .zip traz node_modules de outro sistema (Windows ou Mac). Apague a pasta node_modules do .zip e envie de novo.",
  },
  {
    pattern: /Could not find a production build in the '[^'\n]*\.next' directory/,
    explain: () =>
      'O build do Next.js não foi feito. Ponha "build": "next build" nos scripts do package.json e envie de novo.',
  },
  {
    pattern:
      /did not initialize yet|[Pp]lease run [`"']?(?:npx )?prisma generate|Cannot find module '\.prisma\/client/,
    explain: () =>
      'O cliente do Prisma não foi gerado. Ponha "build": "prisma generate" nos scripts do package.json e envie de novo.',
  },
  {
    // A lock file made elsewhere may leave out the optional packages of this system
    // (github.com/npm/cli/issues/4828).
    pattern:
      /Cannot find (?:module|package) '?([^'\s]*linux-(?:x64|arm64)[\w-]*)|The package "(@esbuild\/linux-[^"\n]+)" could not be found|Could not load the "(sharp)" module using the linux/,
    explain: ([, byNode, byEsbuild, bySharp]) =>
      `O arquivo de lock foi feito em outro sistema e não traz a parte para Linux de ${quote(byNode ?? byEsbuild ?? bySharp)}. Apague node_modules e o arquivo de lock no seu computador, rode npm install e envie de novo.`,
  },
  {
    // What another built file asks for is a matter of its name, not of the build.
    pattern: /Cannot find module '\/app\/((?:dist|build|\.next|out)\/[^'\n]+)'(?! imported from)/,
    explain: ([, file]) =>
      `O arquivo ${quote(file)} não foi criado. Ponha um script build no package.json que o crie, ou confira entry e command.`,
  },
  {
    pattern: /Cannot find (?:module|package) '((?:\.{0,2}\/)[^'\n]+)'/,
    explain: ([, file]) => missingFile(file),
  },
  {
    pattern: /Cannot find (?:module|package) '([^'\n]+)'/,
    explain: ([, name]) => missingPackage(name),
  },
  {
    // `@/` is how projects of Next and Vite write their own folder.
    pattern: /Module not found: (?:Error: )?Can't resolve '([^'\n]+)'/,
    explain: ([, name]) => (/^(?:\.{0,2}|@)\//.test(name ?? "") ? missingFile(name) : missingPackage(name)),
  },
  {
    pattern: /Cannot use import statement outside a module/,
    explain: () =>
      'O código usa import, mas o projeto é CommonJS. Ponha "type": "module" no package.json (ou renomeie o arquivo para .mjs).',
  },
  {
    pattern: /require is not defined in ES module scope/,
    explain: () =>
      'O código usa require, mas o package.json diz "type": "module". Troque por import, ou renomeie o arquivo para .cjs.',
  },
  {
    pattern: /Unknown file extension "\.(tsx?)"|ERR_UNKNOWN_FILE_EXTENSION/,
    explain: () =>
      "O Node não roda este arquivo TypeScript assim. Ponha tsx em dependencies e use o comando tsx arquivo.ts, ou compile no script build.",
  },
  {
    pattern: /SyntaxError: (?:\/app\/)?([^\n:]+\.json): [^\n]*JSON/,
    explain: ([, file]) => `O arquivo ${quote(file)} não é um JSON válido. Confira vírgulas, aspas e chaves.`,
  },
  {
    pattern: /SyntaxError: [^\n]*(?:is not valid JSON|JSON input|in JSON at)/,
    explain: () =>
      "O programa leu como JSON um texto que não é JSON (um arquivo vazio, ou uma página de erro em vez da resposta de uma API). Confira o que ele recebe antes do JSON.parse.",
  },
  {
    pattern: /(?:^|\n)((?:file:\/\/)?\/app\/[^\n:]+):(\d+)\n(?:[^\n]*\n){1,4}?\n?(SyntaxError: [^\n]+)/,
    explain: ([, file, line, error]) =>
      `Erro de sintaxe em ${place(file, line)}: ${quote(error?.slice(13))}. Corrija a linha e envie de novo.`,
  },
  {
    pattern: /(?:^|\n)SyntaxError: (?![^\n]*JSON)([^\n]+)/,
    explain: ([, error]) => `O código tem um erro de sintaxe: ${quote(error)}. Corrija e envie de novo.`,
  },
  {
    pattern: /JavaScript heap out of memory/,
    explain: (_, { memoryMb }) =>
      `O programa precisou de mais memória do que tem (${memoryMb} MB). Aumente memoryMb ou guarde menos na memória.`,
  },
  {
    pattern:
      /can only install packages when[^\n]*in sync|ERR_PNPM_OUTDATED_LOCKFILE|lockfile needs to be updated|YN0028|lockfile had changes/,
    explain: () =>
      "O arquivo de lock não combina com o package.json. Rode a instalação no seu computador e envie os dois juntos.",
  },
  {
    pattern: /(?:^|[\s'])(@?[a-z0-9][^\s'"]*)'? is not in (?:this|the npm) registry/i,
    explain: ([, name]) =>
      `O pacote ${quote(name)} não existe no npm. Confira o nome em dependencies do package.json.`,
  },
  {
    pattern: /No matching version found for (\S+?)\.?(?:\s|$)/,
    explain: ([, name]) =>
      `A versão ${quote(name)} não existe no npm. Confira o número em dependencies do package.json; se é outro pacote que a pede, escolha uma em overrides.`,
  },
  {
    pattern: /npm error (?:code )?ERESOLVE/,
    explain: () =>
      "Dois pacotes pedem versões diferentes do mesmo. Resolva no seu computador (npm install) e envie o package-lock.json.",
  },
  {
    pattern: /gyp ERR!|node-gyp[^\n]*(?:not found|failed)|not found: (?:make|g\+\+)/,
    explain: () =>
      "Um módulo precisa ser compilado. Acrescente build-essential e python3 em systemPackages e envie de novo.",
  },
  {
    pattern: /spawn git ENOENT|syscall spawn git/,
    explain: () => "Um pacote vem de um repositório git. Acrescente git em systemPackages e envie de novo.",
  },
  {
    pattern: /Missing script: "?([^"\n]+)"?/,
    explain: ([, script]) =>
      `O package.json não tem o script ${quote(script)}. Confira command e a parte scripts do package.json.`,
  },
  {
    pattern: /(?:EJSONPARSE|Failed to parse (?:package\.json|JSON)|Invalid package\.json)/,
    explain: () => "O package.json não é um JSON válido. Confira vírgulas, aspas e chaves.",
  },
];

function asking(wanted: string | undefined): string {
  return wanted === undefined ? "" : ` (pede ${quote(wanted)})`;
}

function missingFile(file: string | undefined): string {
  return `O arquivo ${quote(file?.replace(/^\/app\//, ""))} não existe. Confira se está no .zip, a pasta e as letras maiúsculas: aqui Index.js e index.js são diferentes.`;
}

function missingPackage(specifier: string | undefined): string {
  const name = quote(packageOf(specifier));
  return `Falta o módulo ${name}. Rode npm install ${name} no seu computador, confira dependencies no package.json e envie de novo.`;
}

/** `@scope/name/file` → `@scope/name`. */
function packageOf(specifier = ""): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
