/** What Python and pip say. */

import { place, quote, type Rule } from "./rule.ts";

/** Names of modules whose package is called otherwise. */
const packageNames: Record<string, string> = {
  discord: "discord.py",
  telegram: "python-telegram-bot",
  dotenv: "python-dotenv",
  bs4: "beautifulsoup4",
  PIL: "pillow",
  cv2: "opencv-python-headless",
  yaml: "pyyaml",
  sklearn: "scikit-learn",
  MySQLdb: "mysqlclient",
  psycopg2: "psycopg2-binary",
  googleapiclient: "google-api-python-client",
};

export const pythonRules: readonly Rule[] = [
  {
    // Before Python 3.13 an AttributeError of this kind does not say the file.
    pattern:
      /partially initialized module '([^'\n]+)'(?![^\n]*\/(?:\.venv|site-packages)\/)(?:[^\n]*\((\/[^)\n]+\.py)\))?|consider renaming '([^'\n]+)'/,
    explain: ([, module, file, renamed = file]) =>
      `O seu arquivo ${quote(renamed === undefined ? `${module?.replaceAll(".", "/")}.py` : inProject(renamed))} tem o mesmo nome de um módulo, ou dois arquivos importam um ao outro. Renomeie o arquivo.`,
  },
  {
    pattern: /ModuleNotFoundError: No module named '([^'\n]+)'; '([^'\n]+)' is not a package/,
    explain: ([, name, file]) =>
      `O programa pede ${quote(name)}, mas achou um arquivo ${quote(file)}.py em vez do pacote ${quote(file)}. Se o arquivo é seu, renomeie-o.`,
  },
  {
    pattern: /ModuleNotFoundError: No module named '(([^'.\n]+)\.[^'\n]+)'/,
    explain: ([, name, top]) =>
      `O pacote ${quote(top)} existe, mas ${quote(name)} não. Confira o nome, as maiúsculas e, se ${quote(top)} é seu, se o arquivo está no .zip; senão, a versão em requirements.txt.`,
  },
  {
    pattern: /ModuleNotFoundError: No module named '([^'.\n]+)'/,
    explain: ([, name = ""]) =>
      `Falta o módulo ${quote(name)}. Ponha ${quote(packageNames[name] ?? name)} em uma linha do requirements.txt (ou confira se o seu arquivo ${quote(name)}.py está no .zip) e envie de novo.`,
  },
  {
    pattern: /can't open file '(?:\/app\/)?([^'\n]+)'/,
    explain: ([, file]) =>
      `O arquivo ${quote(file)} não existe. Confira se está no .zip, a pasta e as letras maiúsculas.`,
  },
  {
    pattern:
      /File "([^"\n]+)", line (\d+)\n(?:[^\n]*\n){1,3}(SyntaxError|IndentationError|TabError): ([^\n]+)/,
    explain: ([, file, line, kind, error]) =>
      `${kind === "SyntaxError" ? "Erro de sintaxe" : "Erro de indentação"} em ${place(file, line)}: ${quote(error)}. Corrija a linha e envie de novo.`,
  },
  {
    pattern:
      /ImportError: cannot import name '([^'\n]+)' from '[^'\n]+' \((\/app\/(?![^)\n]*(?:\.venv|site-packages)\/)[^)\n]+)\)/,
    explain: ([, name, file]) =>
      `${quote(inProject(file))} não define ${quote(name)}. Confira o nome e se dois arquivos não importam um ao outro.`,
  },
  {
    pattern: /ImportError: cannot import name '([^'\n]+)' from '([^'\n]+)'/,
    explain: ([, name, from]) =>
      `${quote(name)} não existe em ${quote(from)}. A versão instalada é outra: fixe a versão no requirements.txt (pacote==versão).`,
  },
  {
    pattern:
      /requires a different Python: [^\n]*not in '([^'\n]+)'|Requires-Python ([<>=!~0-9., ]+)[^]*No matching distribution|python version [^\n]* is not supported/i,
    explain: ([, first, second], { version }) =>
      `Um pacote não aceita o Python ${version} (pede ${quote(first ?? second ?? "outro")}). Mude version do projeto.`,
  },
  {
    pattern: /No matching distribution found for ([^\s]+)/,
    explain: ([, name], { version }) =>
      `O pacote ${quote(name)} não existe, não nesta versão, ou não para o Python ${version}. Confira a linha no requirements.txt.`,
  },
  {
    pattern:
      /Failed building wheel|command '[^'\n]*(?:gcc|cc|g\+\+)' failed|Python\.h: No such file|Unable to find (?:a )?compiler/,
    explain: () =>
      "Um pacote precisa ser compilado. Acrescente build-essential em systemPackages, ou use uma versão do pacote que venha pronta (wheel).",
  },
  {
    pattern: /Could not open requirements file(?:: \[Errno 2\] No such file or directory: '([^'\n]+)')?/,
    explain: ([, file = "requirements.txt"]) =>
      `O arquivo ${quote(inProject(file))}, que a instalação pede, não existe. Confira se está no .zip e o nome.`,
  },
  {
    pattern: /Invalid requirement: ([^\n]+)/,
    explain: ([, line]) => `O requirements.txt tem uma linha que o pip não entende: ${quote(line)}.`,
  },
];

/** As the upload has it. */
function inProject(file: string | undefined): string | undefined {
  return file?.replace(/^\/app\//, "");
}
