/** What PHP, Composer, Ruby and Bundler say. */

import { place, quote, type Rule } from "./rule.ts";

export const phpRules: readonly Rule[] = [
  {
    pattern: /Could not open input file: ([^\n]+)/,
    explain: ([, file]) =>
      `O arquivo ${quote(file)} não existe. Confira se está no .zip, a pasta e as letras maiúsculas.`,
  },
  {
    pattern:
      /vendor\/autoload\.php[^\n]*(?:No such file|Failed opening)|Failed opening required '[^'\n]*vendor\/autoload\.php'/,
    explain: () =>
      "As dependências do Composer não foram instaladas. Envie o composer.json (e o composer.lock) na raiz do projeto.",
  },
  {
    pattern: /(?:PHP )?Parse error: +([^\n]+?) in ([^\n]+) on line (\d+)/,
    explain: ([, error, file, line]) =>
      `Erro de sintaxe em ${place(file, line)}: ${quote(error)}. Corrija a linha e envie de novo.`,
  },
  {
    pattern: /Class "([^"\n]+)" not found/,
    explain: ([, name]) =>
      `A classe ${quote(name)} não foi encontrada. Confira o nome, o autoload do composer.json e se o pacote está em require.`,
  },
  {
    pattern:
      /requires php ([^\s]+)[^\n]*your php version|your php version \(([^)\n]+)\)[^\n]*does not satisfy/i,
    explain: ([, wanted], { version }) =>
      `Um pacote não aceita o PHP ${version}${wanted === undefined ? "" : ` (pede ${quote(wanted)})`}. Mude version do projeto ou a versão do pacote.`,
  },
  {
    pattern: /requires ext-([a-z0-9_]+)|Call to undefined function ([a-z0-9_]+)\(/,
    explain: ([, extension, name]) =>
      extension === undefined
        ? `A função ${quote(name)} não existe neste PHP. Confira o nome ou a extensão de que ela vem.`
        : `Falta a extensão ${quote(extension)} do PHP, que este serviço não tem. Use um pacote que não precise dela.`,
  },
  {
    pattern: /lock file is not up to date|not present in the lock file|do not satisfy your constraints/,
    explain: () =>
      "O composer.lock não combina com o composer.json. Rode composer update no seu computador e envie os dois juntos.",
  },
];

/** Files whose gem is not called as the part before the slash. */
const gemNames: Record<string, string> = {
  active_record: "activerecord",
  active_support: "activesupport",
  "net/imap": "net-imap",
  "net/smtp": "net-smtp",
};

export const rubyRules: readonly Rule[] = [
  {
    pattern: /Your bundle only supports platforms/,
    explain: () =>
      "O Gemfile.lock foi feito em outro sistema. Rode bundle lock --add-platform x86_64-linux no seu computador e envie o Gemfile.lock de novo.",
  },
  {
    pattern: /bundler: command not found: (\S+)/,
    explain: ([, command]) =>
      `O comando ${quote(command)} não vem de nenhuma gem do Gemfile. Ponha a gem dele no Gemfile, rode bundle install no seu computador e envie de novo.`,
  },
  {
    pattern: /cannot load such file -- ([^\s(]+)/,
    explain: ([, name]) =>
      name?.startsWith("/")
        ? `O arquivo ${quote(name.replace(/^\/app\//, ""))} não existe. Confira se está no .zip, a pasta e as letras maiúsculas.`
        : missingGem(name ?? ""),
  },
  {
    pattern: /No such file or directory -- ([^\s(]+)/,
    explain: ([, file]) =>
      `O arquivo ${quote(file)} não existe. Confira se está no .zip, a pasta e as letras maiúsculas.`,
  },
  {
    pattern: /([^\s:]+\.rb):(\d+): (?:syntax error|syntax errors? found)[^\n]*/,
    explain: ([, file, line]) => `Erro de sintaxe em ${place(file, line)}. Corrija a linha e envie de novo.`,
  },
  {
    pattern: /Your Ruby version is ([0-9.]+), but your Gemfile specified ([^\s]+)/,
    explain: ([, , wanted], { version }) =>
      `O Gemfile pede o Ruby ${quote(wanted)}, mas o projeto usa o ${version}. Mude version ou a linha ruby do Gemfile.`,
  },
  {
    pattern: /Could not find gem '([^'\n]+)'/,
    explain: ([, name]) => `A gem ${quote(name)} não existe ou não nesta versão. Confira a linha no Gemfile.`,
  },
  {
    pattern:
      /frozen mode|frozen mode is set|lockfile can't be updated|The dependencies in your gemfile changed/i,
    explain: () =>
      "O Gemfile.lock não combina com o Gemfile. Rode bundle install no seu computador e envie os dois juntos.",
  },
  {
    pattern: /Failed to build gem native extension/,
    explain: () =>
      "Uma gem precisa ser compilada. Acrescente build-essential em systemPackages e envie de novo.",
  },
];

function missingGem(file: string): string {
  const [part = ""] = file.split("/");
  const gem = quote(gemNames[file] ?? gemNames[part] ?? part);
  return `Falta a gem ${gem}. Ponha gem "${gem}" no Gemfile, rode bundle install no seu computador e envie de novo.`;
}
