/** What a reader of the API description needs to know before the first call. Markdown, in Portuguese. */

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

/** The document has them as its description, the page as its first sections. */
export function introduction({ plans, limits }: IntroductionFacts): Section[] {
  return [
    {
      title: "Convenções",
      text: [
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
    },
    {
      title: "Autenticação",
      text: [
        "Envie `Authorization: Bearer svc_…` em cada requisição. A chave se cria no painel, com nome, permissão e a senha da conta, e só aparece uma vez.",
        "**Leitura** lista e mostra projetos e lê logs e métricas. **Leitura e escrita** também envia código, inicia, para, reinicia e cuida das variáveis. Outras permissões se dão uma a uma.",
        `Uma conta tem no máximo ${limits.keysPerAccount} chaves. Uma chave revogada deixa de valer na próxima requisição. Apagar um projeto e cuidar de chaves, senha e sessões só se faz pelo painel.`,
        `Depois de ${limits.wrongAttempts} chaves erradas de um mesmo endereço em ${minutes(limits.wrongAttemptWindowMs)}, chaves erradas vindas dele respondem \`too_many_attempts\` por ${minutes(limits.wrongAttemptBlockMs)}; uma chave certa continua passando.`,
      ].join("\n\n"),
    },
    {
      title: "Limites",
      text: [
        "Requisições com chave contam por conta, todas as chaves somadas. Cada resposta a uma chave válida traz `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` e `RateLimit-Policy`; passar do limite responde 429 `rate_limit_exceeded`. Todo 429 traz `Retry-After`, em segundos.",
        planTable(plans),
        [
          `- Envio de .zip: um a cada ${seconds(limits.uploadEveryMs)} por conta, no máximo ${limits.uploadsAtOnce} em andamento.`,
          `- Stream de logs: um a cada ${seconds(limits.logOpenEveryMs)} por projeto, no máximo ${limits.logStreamsAtOnce} abertos.`,
          `- Variáveis: no máximo ${Math.floor(limits.variablesBytes / 1024)} KB por projeto, nomes e valores somados.`,
          "- Instalação: 5 minutos e 1 GB de memória.",
        ].join("\n"),
      ].join("\n\n"),
    },
    {
      title: "Erros",
      text: 'Todo erro tem o estado HTTP do caso e o corpo `{ "status": "error", "code", "message" }`, às vezes com mais campos. Confie em `code`, que não muda; `message` é para uma pessoa e vem em inglês com `Accept-Language: en`.',
    },
  ];
}

function planTable(plans: readonly Plan[]): string {
  const rows = plans.map(
    (plan) =>
      `| ${plan.name} | ${plan.requestsPerMinute} | ${plan.requestsPerDay} | ${plan.memoryMb} | ${plan.projects} | ${plan.sites} | ${plan.zipMb} | ${plan.diskMbPerProject} |`,
  );
  return [
    "| Plano | por minuto | por dia | memória MB | projetos | sites | .zip MB | disco MB por projeto |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} minutos`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
