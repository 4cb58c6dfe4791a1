/** Writes what a reader of the API description needs to know before the first call, as Markdown. */

import type { Words } from "../values/words.ts";
import type { Plan } from "../nouns/plan.ts";
import type { ServiceLimits } from "../contract/service-limits.ts";

export interface IntroductionFacts {
  plans: readonly Plan[];
  limits: ServiceLimits;
}

export interface Section {
  title: string;
  /** Markdown. */
  text: string;
}

/** Returns the sections that the document has as its description and the page as its beginning. */
export function introduction({ plans, limits }: IntroductionFacts, language: keyof Words = "pt"): Section[] {
  const sections = [conventions, authentication(limits), ratesAndQuotas(plans, limits), errors];
  return sections.map(({ title, text }) => ({ title: title[language], text: text[language] }));
}

interface SectionWords {
  title: Words;
  text: Words;
}

const conventions: SectionWords = {
  title: { pt: "Convenções", en: "Conventions" },
  text: {
    pt: [
      "- Requisições e respostas são JSON em UTF-8 (`Content-Type: application/json`); o envio de um .zip é `multipart/form-data`; os logs vêm como `text/event-stream`.",
      '- O recurso vem sob o seu nome: `{ "project": { … } }`, `{ "projects": [ … ] }`.',
      "- Horários são ISO 8601 em UTC, com milissegundos e `Z`. Memória é sempre em MB; 1 GB são 1024 MB.",
      "- Um campo desconhecido é um erro. Campos que podem faltar vêm como null.",
      "- Criar responde 201; o que leva tempo responde 202 com o projeto como está agora; apagar responde 204.",
      "- Listas longas aceitam `limit` e `cursor` e respondem `nextCursor`, null no fim.",
      "- Nas operações que o listam, o cabeçalho `Idempotency-Key` faz uma requisição repetida receber a primeira resposta de novo, por 24 horas; as outras o ignoram.",
      "- Onde vale GET, vale HEAD: a mesma resposta, sem o corpo; de um stream de logs, só os cabeçalhos. O método que um endereço não aceita responde 404 com os que ele aceita em `Allow`.",
      "- Toda resposta traz `X-Request-Id`; informe-o ao operador se algo falhar.",
    ].join("\n"),
    en: [
      "- Requests and responses are JSON in UTF-8 (`Content-Type: application/json`); a .zip is sent as `multipart/form-data`; logs come as `text/event-stream`.",
      '- The resource stands under its name: `{ "project": { … } }`, `{ "projects": [ … ] }`.',
      "- Times are ISO 8601 in UTC, with milliseconds and `Z`. Memory is always in MB; 1 GB is 1024 MB.",
      "- An unknown field is an error. Fields that may be missing come as null.",
      "- Creating answers 201; what takes time answers 202 with the project as it is now; deleting answers 204.",
      "- Long lists take `limit` and `cursor` and answer `nextCursor`, null at the end.",
      "- In the operations that list it, the header `Idempotency-Key` makes a repeated request get the first response again, for 24 hours; the others ignore it.",
      "- Where GET is accepted, HEAD is: the same response, without the body; of a stream of logs, only the headers. A method that an address does not accept answers 404 with those that it accepts in `Allow`.",
      "- Every response carries `X-Request-Id`; give it to the operator if something fails.",
    ].join("\n"),
  },
};

function authentication(limits: ServiceLimits): SectionWords {
  return {
    title: { pt: "Autenticação", en: "Authentication" },
    text: {
      pt: [
        "Envie `Authorization: Bearer svc_…` em cada requisição. A chave se cria no painel, com nome, permissão e a senha da conta, e só aparece uma vez.",
        "**Leitura** lista e mostra projetos e lê logs e métricas. **Leitura e escrita** também envia código, inicia, para, reinicia e cuida das variáveis. Outras permissões se dão uma a uma.",
        `Uma conta tem no máximo ${limits.keysPerAccount} chaves. Uma chave revogada deixa de valer na próxima requisição. Apagar um projeto e cuidar de chaves, senha e sessões só se faz pelo painel.`,
        `Depois de ${limits.wrongAttempts} chaves erradas de um mesmo endereço em ${minutes(limits.wrongAttemptWindowMs, "pt")}, chaves erradas vindas dele respondem \`too_many_attempts\` por ${minutes(limits.wrongAttemptBlockMs, "pt")}; uma chave certa continua passando.`,
      ].join("\n\n"),
      en: [
        "Send `Authorization: Bearer svc_…` with each request. A key is created in the panel, with a name, its scopes and the account's password, and is shown only once.",
        "**Read** lists and shows projects and reads logs and metrics. **Read and write** also sends code, starts, stops, restarts and manages the variables. Other scopes are granted one by one.",
        `An account has at most ${limits.keysPerAccount} keys. A revoked key stops working with the next request. Deleting a project and managing keys, password and sessions is done only in the panel.`,
        `After ${limits.wrongAttempts} wrong keys from the same address within ${minutes(limits.wrongAttemptWindowMs, "en")}, wrong keys from it answer \`too_many_attempts\` for ${minutes(limits.wrongAttemptBlockMs, "en")}; a right key still passes.`,
      ].join("\n\n"),
    },
  };
}

/** Returns the section on rates and quotas, with a table of the plans. */
function ratesAndQuotas(plans: readonly Plan[], limits: ServiceLimits): SectionWords {
  return {
    title: { pt: "Limites", en: "Limits" },
    text: {
      pt: [
        "Requisições com chave contam por conta, todas as chaves somadas. Cada resposta a uma chave válida traz `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` e `RateLimit-Policy`; passar do limite responde 429 `rate_limit_exceeded`. Todo 429 traz `Retry-After`, em segundos.",
        planTable(plans, "pt"),
        [
          `- Envio de .zip: um a cada ${seconds(limits.uploadEveryMs)} por conta, no máximo ${limits.uploadsAtOnce} em andamento.`,
          `- Stream de logs: um a cada ${seconds(limits.logOpenEveryMs)} por projeto, no máximo ${limits.logStreamsAtOnce} abertos.`,
          `- Variáveis: no máximo ${Math.floor(limits.variablesBytes / 1024)} KB por projeto, nomes e valores somados.`,
          "- Instalação: 5 minutos e 1 GB de memória.",
        ].join("\n"),
      ].join("\n\n"),
      en: [
        "Requests with a key count per account, all keys together. Each response to a valid key carries `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` and `RateLimit-Policy`; going over the limit answers 429 `rate_limit_exceeded`. Every 429 carries `Retry-After`, in seconds.",
        planTable(plans, "en"),
        [
          `- Sending a .zip: one every ${seconds(limits.uploadEveryMs)} per account, at most ${limits.uploadsAtOnce} in progress.`,
          `- Stream of logs: one every ${seconds(limits.logOpenEveryMs)} per project, at most ${limits.logStreamsAtOnce} open.`,
          `- Variables: at most ${Math.floor(limits.variablesBytes / 1024)} KB per project, names and values together.`,
          "- Installation: 5 minutes and 1 GB of memory.",
        ].join("\n"),
      ].join("\n\n"),
    },
  };
}

const errors: SectionWords = {
  title: { pt: "Erros", en: "Errors" },
  text: {
    pt: 'Todo erro tem o estado HTTP do caso e o corpo `{ "status": "error", "code", "message" }`, às vezes com mais campos. Confie em `code`, que não muda; `message` é para uma pessoa e vem em inglês com `Accept-Language: en`.',
    en: 'Every error has the HTTP status of its case and the body `{ "status": "error", "code", "message" }`, sometimes with further fields. Rely on `code`, which does not change; `message` is for a person and comes in English with `Accept-Language: en`.',
  },
};

const planColumns = {
  pt: "| Plano | por minuto | por dia | memória MB | projetos | sites | domínios | .zip MB | disco MB por projeto |",
  en: "| Plan | per minute | per day | memory MB | projects | sites | domains | .zip MB | disk MB per project |",
};

function planTable(plans: readonly Plan[], language: keyof Words): string {
  const rows = plans.map(
    (plan) =>
      `| ${plan.name} | ${plan.requestsPerMinute} | ${plan.requestsPerDay} | ${plan.memoryMb} | ${plan.projects} | ${plan.sites} | ${plan.domains} | ${plan.zipMb} | ${plan.diskMbPerProject} |`,
  );
  return [planColumns[language], "|---|---|---|---|---|---|---|---|---|", ...rows].join("\n");
}

function minutes(ms: number, language: keyof Words): string {
  return `${Math.round(ms / 60_000)} ${language === "en" ? "minutes" : "minutos"}`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
