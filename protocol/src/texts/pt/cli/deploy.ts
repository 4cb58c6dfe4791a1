/** Texts of `tijolo up`, and of the other commands that put a version into a project. */

import { proposalReasons } from "../proposal.ts";

export const deploy = {
  texts: {
    reasons: proposalReasons,
    proposal: "Esta pasta não tem svc.json. Pelo que há nela, proponho:",
    acceptProposal: "Gravar este svc.json? [Enter = sim, campo=valor muda um campo, campo= tira, n = não]",
    wrongField: (field: string) => `${field} não pode ter este valor.`,
    proposalWritten: (path: string) => `Gravado: ${path}`,
    proposalRefused: "Nada foi gravado nem enviado. Crie um svc.json, ou diga --language e --command.",
    proposalUnattended: (lines: string) =>
      `Esta pasta não tem svc.json. Pelo que há nela, ele seria:\n${lines}\nPara gravá-lo e enviar: tijolo up --yes. Para outro, crie um svc.json ou diga --language e --command.`,
    noProposal:
      "Esta pasta não tem svc.json, e o que há nela não mostra como o projeto se inicia. Crie um svc.json, ou diga --language e --entry ou --command.",
    leftOut: (path: string) => `Fora do envio: ${path} é um link para fora da pasta ou para outra pasta.`,
    sendsDotenv:
      "O arquivo .env vai junto. Segredos ficam melhor como variáveis: tijolo env push, e .env no .gitignore.",
    sendsDatabases: (names: string) =>
      `Vão junto arquivos que parecem bancos de dados: ${names}. No servidor, eles tomam o lugar dos que o programa gravou (que ficam guardados por 14 dias). Para não enviar, ponha-os no .gitignore ou no .svcignore.`,
    restored: (path: string, setting: string) =>
      `${path} vai junto, embora seja ignorado: o projeto precisa dele (${setting}).`,
    restoredFromRule: (path: string, { rule, setting }: { rule: string; setting: string }) =>
      `${path} vai junto, embora a regra ${rule} o ignore: o projeto precisa dele (${setting}).`,
    lacks: (path: string, setting: string) =>
      `Nada foi enviado: ${setting} do projeto é ${path}, e isso não está na pasta. Crie-o (falta rodar a build?) ou corrija ${setting} no svc.json.`,
    settingsRefused:
      "O svc.json desta pasta difere da configuração do projeto, e esta chave não a muda. Compare com tijolo config get e desfaça a diferença, ou crie uma chave que pode: tijolo keys create --save",
    goesOn: "O envio continua sem este comando. Acompanhe com tijolo status e tijolo logs -f.",
    startsStopped: (name: string) => `${name} estava parado; iniciando com o código novo.`,
    staysStopped: "O código está instalado. Para iniciar: tijolo start",
    didNotComeUp: (name: string) => `${name} não subiu.`,
    keepsCrashing: (name: string, crashes: number) =>
      `${name} não subiu: caiu ${crashes} vezes seguidas. O serviço tenta de novo, com pausas, por uns 4 minutos.`,
    versionDidNotComeUp: (version: number, reason: string) => `A versão ${version} não subiu: ${reason}`,
    stillServes: (version: number) => `A versão ${version} continua no ar.`,
    nothingServes: "Nenhuma versão está no ar.",
    notListening: (name: string, port: number) =>
      `${name} está rodando, mas ainda não atende na porta ${port}: o endereço dele não responde.`,
    notSeenUp: (name: string) => `${name} está rodando, mas o servidor ainda não confirmou que ele subiu.`,
    superseded: (version: number) =>
      `Outro envio tomou o lugar da versão ${version} antes de ela subir. Veja: tijolo versions`,
    siteEnded: (name: string) =>
      `${name} terminou com código 0. Um site precisa continuar rodando para responder.`,
    wasStopped: (name: string) => `${name} foi parado antes de subir. Para iniciar: tijolo start`,
  },
};
