/** What Java, Go, .NET and Elixir say. */

import { place, quote, type Rule } from "./rule.ts";

/** The class file version of Java 8 is 52. */
const classFileOffset = 44;

export const compiledRules: readonly Rule[] = [
  {
    pattern: /Unable to access jarfile ([^\n]+)/,
    explain: ([, file]) =>
      `O arquivo ${quote(file)} não existe. Envie o .jar pronto no .zip e confira o nome em command.`,
  },
  {
    pattern: /Invalid or corrupt jarfile ([^\n]+)/,
    explain: ([, file]) =>
      `${quote(file)} não é um .jar inteiro. Gere o .jar de novo e confira se abre no seu computador com java -jar.`,
  },
  {
    pattern: /no main manifest attribute, in ([^\n]+)/,
    explain: ([, file]) =>
      `${quote(file)} não diz qual classe iniciar. Gere um .jar executável (Main-Class no manifesto, com as dependências dentro).`,
  },
  {
    pattern: /class file version (\d+)/,
    explain: ([, number], { version }) =>
      `O .jar foi compilado para o Java ${Number(number) - classFileOffset}, e o projeto usa o Java ${version}. Mude version ou compile para o Java ${version}.`,
  },
  {
    pattern: /(?:ClassNotFoundException|NoClassDefFoundError): ([^\s]+)/,
    explain: ([, name]) =>
      `A classe ${quote(name)} não está no .jar. Gere um .jar com as dependências dentro (shade, fat jar ou bootJar).`,
  },
  {
    pattern: /java\.lang\.OutOfMemoryError/,
    explain: (_, { memoryMb }) =>
      `O programa precisou de mais memória do que tem (${memoryMb} MB). Aumente memoryMb ou guarde menos na memória.`,
  },
  {
    pattern: /go\.mod requires go >= ([0-9.]+)/,
    explain: ([, wanted], { version }) =>
      `O go.mod pede o Go ${quote(wanted)}, e o projeto usa o ${version}. Mude version ou a linha go do go.mod.`,
  },
  {
    pattern: /missing go\.sum entry|updates to go\.mod needed|go: inconsistent vendoring/,
    explain: () =>
      "O go.sum não combina com o go.mod. Rode go mod tidy no seu computador e envie os dois juntos.",
  },
  {
    pattern:
      /no Go files in ([^\n]+)|no required module provides package ([^\s;]+)|package (\S+) is not in std/,
    explain: ([, folder, module, std]) =>
      folder === undefined
        ? `Falta o módulo ${quote(module ?? std)}. Rode go mod tidy no seu computador e envie o go.mod e o go.sum.`
        : `Não há código Go em ${quote(folder.replace(/^\/app/, "") || "/")}. Diga em entry o arquivo que tem func main.`,
  },
  {
    shows: "first",
    pattern: /(?:^|\n)(?:\.\/)?([^\s:]+\.go):(\d+):\d+: ([^\n]+)/,
    explain: ([, file, line, error]) =>
      `O código não compila: ${place(file, line)}: ${quote(error)}. Corrija e envie de novo.`,
  },
  {
    pattern: /NETSDK1045|does not support targeting \.NET ([0-9.]+)/,
    explain: (_, { version }) =>
      `O projeto foi feito para outro .NET. Use net${version}.0 em TargetFramework.`,
  },
  {
    pattern: /MSB1003|MSB1009|Project file does not exist/,
    explain: () => "O projeto .NET não foi encontrado. Diga em entry o caminho do .csproj.",
  },
  {
    shows: "first",
    pattern: /([^\s(]+\.(?:cs|fs|vb))\((\d+),\d+\): error [A-Z]+\d+: ([^\n[]+)/,
    explain: ([, file, line, error]) =>
      `O código não compila: ${place(file, line)}: ${quote(error)}. Corrija e envie de novo.`,
  },
  {
    pattern: /Could not find a Mix\.Project|cannot find "?mix\.exs/,
    explain: () => "O mix.exs não está na raiz do projeto. Ponha-o ao lado do svc.json.",
  },
  {
    shows: "first",
    pattern:
      /\*\* \((?:CompileError|SyntaxError|TokenMissingError|MismatchedDelimiterError)\)[^\n]*?([^\s:]+\.exs?):(\d+)(?::\d+:?\n\s*error: ([^\n]+))?|error: ([^\n]+)\n(?:(?![^\n]*(?:error|warning): )[^\n]*\n){0,12}?\s*└─ ([^\s:]+\.exs?):(\d+)/,
    explain: ([, file, line, firstError, error = firstError, boxFile, boxLine]) =>
      `O código não compila: ${place(file ?? boxFile, line ?? boxLine)}${error === undefined ? "" : `: ${quote(error)}`}. Corrija e envie de novo.`,
  },
  {
    pattern: /Unchecked dependencies for environment|could not find an app file|lock mismatch/,
    explain: () =>
      "As dependências do mix.exs não combinam com o mix.lock. Rode mix deps.get no seu computador e envie os dois juntos.",
  },
];
