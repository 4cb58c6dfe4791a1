/** The JSON Schema of `svc.json`, for editors: what the file may hold, with a line on each field. */

import { z } from "zod";
import { defaultVersions, languages, languageVersions } from "./language.ts";
import { svcJson } from "./project-config.ts";

const descriptions: Record<keyof z.input<typeof svcJson>, string> = {
  $schema: "Endereço deste esquema, para o editor ajudar.",
  name: "Nome do projeto.",
  description: "Descrição que o painel mostra.",
  type: "bot: processo em segundo plano; site: app ou API que escuta numa porta e ganha um endereço.",
  language: "Linguagem em que o projeto roda.",
  version: "Versão da linguagem; sem ela, a recomendada.",
  entry: "Arquivo principal, relativo à pasta do projeto.",
  command: "Comando de início, por exemplo npm start.",
  installCommand: 'Comando de instalação; null instala do jeito da linguagem, "" não instala nada.',
  root: "Só static: pasta servida, relativa à pasta do projeto.",
  memoryMb: "Memória reservada em MB; é também o teto do processo.",
  subdomain: "Só sites: nome no domínio dos sites.",
  port: "Só sites: porta em que o app escuta; chega também na variável PORT.",
  systemPackages: "Pacotes de sistema que o projeto usa.",
};

/** Published at `/svc.schema.json`. Stricter than the parser only in naming the languages and their versions. */
export function svcJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(svcJson, { io: "input", unrepresentable: "any" });
  const properties = Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => {
      const property = schema.properties?.[name];
      return [name, { ...(typeof property === "object" ? property : {}), description }];
    }),
  );
  return {
    ...schema,
    title: "svc.json",
    description: "Configuração de um projeto do Tijolo.",
    properties: { ...properties, language: { enum: languages, description: descriptions.language } },
    required: ["language"],
    allOf: languages.map((language) => ({
      if: { properties: { language: { const: language } }, required: ["language"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { version: { enum: languageVersions[language], default: defaultVersions[language] } } },
    })),
  };
}
