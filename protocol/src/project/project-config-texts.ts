/** A line in Portuguese on each field of a project's configuration: svc.json, the upload's form and PATCH. */

import type { ProjectConfig } from "./project-config.ts";

export const projectConfigTexts: Readonly<Record<keyof ProjectConfig, string>> = {
  name: "Nome do projeto, até 40 caracteres.",
  description: "Descrição que o painel mostra, até 200 caracteres.",
  type: "`bot`: processo em segundo plano; `site`: app ou API que escuta numa porta e ganha um endereço.",
  language: "Linguagem em que o projeto roda.",
  version: "Versão da linguagem; sem ela, a recomendada.",
  entry:
    "Arquivo principal, relativo à pasta do projeto. Dispensa `command`. Vazio: nenhum; em `go` e `dotnet`, compila a raiz.",
  command: "Comando de início, por exemplo `npm start`. Vazio: roda o arquivo principal.",
  installCommand: 'Comando de instalação; null instala do jeito da linguagem, `""` não instala nada.',
  root: 'Só `static`: pasta servida, relativa à pasta do projeto; `""` é ela mesma.',
  memoryMb: "Memória reservada em MB; é também o teto do processo.",
  subdomain:
    "Só sites: nome no domínio dos sites, de 3 a 32 caracteres; letras minúsculas, números e hífen, sem hífen nas pontas.",
  port: "Só sites: porta em que o app escuta; chega também na variável `PORT`.",
  systemPackages: "Pacotes de sistema que o projeto usa.",
};
