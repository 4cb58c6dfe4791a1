/** What the gateway answers by itself, as HTML or JSON: why there is no project behind this address now. */

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pageDocument, type PageText } from "./page-template.ts";

interface Page {
  status: number;
  portuguese: PageText;
  english: PageText;
  /** Says when to ask again (`Retry-After`); with `refreshes` the HTML does so by itself. */
  retryAfterSeconds?: number;
  refreshes?: true;
}

const table = {
  site_starting: {
    status: 503,
    retryAfterSeconds: 3,
    refreshes: true,
    portuguese: { title: "Este site está subindo", text: "Falta pouco. Esta página se atualiza sozinha." },
    english: { title: "This site is starting", text: "Almost there. This page reloads by itself." },
  },
  site_installing: {
    status: 503,
    retryAfterSeconds: 5,
    refreshes: true,
    portuguese: {
      title: "Este site está sendo instalado",
      text: "O código chegou e as dependências estão sendo instaladas. Esta página se atualiza sozinha.",
    },
    english: {
      title: "This site is being installed",
      text: "The code has arrived and its dependencies are being installed. This page reloads by itself.",
    },
  },
  site_stopped: {
    status: 503,
    retryAfterSeconds: 60,
    portuguese: {
      title: "Este site está parado",
      text: "Quem cuida dele pode iniciá-lo pelo painel ou com tijolo start.",
    },
    english: {
      title: "This site is stopped",
      text: "Its owner can start it in the panel or with tijolo start.",
    },
  },
  site_error: {
    status: 503,
    retryAfterSeconds: 60,
    portuguese: {
      title: "Este site está com erro",
      text: "Ele não conseguiu subir. Se o site é seu, veja os logs no painel ou com tijolo logs.",
    },
    english: {
      title: "This site has an error",
      text: "It could not come up. If it is yours, see its logs in the panel or with tijolo logs.",
    },
  },
  site_crash_loop: {
    status: 503,
    retryAfterSeconds: 60,
    portuguese: {
      title: "Este site está em loop de erro",
      text: "Ele caiu várias vezes seguidas e parou de tentar. Se o site é seu, veja os logs no painel ou com tijolo logs.",
    },
    english: {
      title: "This site keeps crashing",
      text: "It crashed several times in a row and stopped trying. If it is yours, see its logs in the panel or with tijolo logs.",
    },
  },
  site_not_found: {
    status: 404,
    portuguese: {
      title: "Não há nenhum site aqui",
      text: "Confira o endereço: nenhum projeto usa este nome.",
    },
    english: { title: "There is no site here", text: "Check the address: no project uses this name." },
  },
  file_not_found: {
    status: 404,
    portuguese: { title: "Página não encontrada", text: "O site existe, mas não tem esta página." },
    english: { title: "Page not found", text: "The site exists, but it has no such page." },
  },
  host_unreachable: {
    status: 503,
    retryAfterSeconds: 10,
    refreshes: true,
    portuguese: {
      title: "O servidor deste site não responde agora",
      text: "A falha é do nosso lado. Esta página tenta de novo sozinha.",
    },
    english: {
      title: "The machine of this site cannot be reached",
      text: "The fault is on our side. This page tries again by itself.",
    },
  },
  overloaded: {
    status: 503,
    retryAfterSeconds: 5,
    portuguese: { title: "Este site recebe visitas demais agora", text: "Tente de novo em alguns segundos." },
    english: { title: "This site has too many visitors right now", text: "Try again in a few seconds." },
  },
  app_not_listening: {
    status: 502,
    retryAfterSeconds: 5,
    portuguese: {
      title: "O site está no ar, mas não atende na porta",
      text: "Se o site é seu: o programa precisa escutar em 0.0.0.0 (não em 127.0.0.1), na porta {port}, que também está na variável PORT.",
    },
    english: {
      title: "The site runs, but nothing answers on its port",
      text: "If it is yours: the program must listen on 0.0.0.0 (not 127.0.0.1), on port {port}, which is also in the variable PORT.",
    },
  },
  app_bad_response: {
    status: 502,
    portuguese: {
      title: "O site respondeu de um jeito inválido",
      text: "O programa encerrou a conexão ou não falou HTTP. Se o site é seu, veja os logs.",
    },
    english: {
      title: "The site gave an invalid answer",
      text: "The program closed the connection or did not speak HTTP. If it is yours, see its logs.",
    },
  },
  app_timeout: {
    status: 504,
    portuguese: {
      title: "O site demorou demais",
      text: "O programa não respondeu a tempo. Tente de novo; se o site é seu, veja os logs.",
    },
    english: {
      title: "The site took too long",
      text: "The program did not answer in time. Try again; if it is yours, see its logs.",
    },
  },
  bad_request: {
    status: 400,
    portuguese: {
      title: "Pedido inválido",
      text: "O navegador ou programa enviou um pedido que não dá para entender.",
    },
    english: {
      title: "Bad request",
      text: "The browser or program sent a request that cannot be understood.",
    },
  },
  headers_too_large: {
    status: 431,
    portuguese: { title: "Cabeçalhos grandes demais", text: "Apague os cookies deste site e tente de novo." },
    english: { title: "Headers too large", text: "Clear the cookies of this site and try again." },
  },
} satisfies Record<string, Page>;

export type PageCode = keyof typeof table;

/** Answers with a page. A large body that nobody will read ends the connection. */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  code: PageCode,
  values: { port?: string } = {},
): void {
  const page: Page = table[code];
  const fill = ({ title, text }: PageText): PageText => ({
    title,
    text: text.replace("{port}", values.port ?? "?"),
  });
  const portuguese = fill(page.portuguese);
  const english = fill(page.english);
  const isJson = wantsJson(request.headers.accept);
  const body = isJson
    ? JSON.stringify({ status: "error", code, message: portuguese.text, messageEn: english.text, ...values })
    : pageDocument({
        status: page.status,
        code,
        portuguese,
        english,
        ...(page.refreshes && page.retryAfterSeconds !== undefined
          ? { refreshSeconds: page.retryAfterSeconds }
          : {}),
      });
  if (!request.complete && bodyBytes(request) > 1 << 20) response.shouldKeepAlive = false;
  const headers: OutgoingHttpHeaders = {
    "content-type": isJson ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    vary: "accept",
    ...(page.retryAfterSeconds === undefined ? {} : { "retry-after": String(page.retryAfterSeconds) }),
  };
  response.writeHead(page.status, headers);
  response.end(body);
}

function wantsJson(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    /\bapplication\/(?:[\w.-]+\+)?json\b/i.test(accept) &&
    !/\btext\/html\b/i.test(accept)
  );
}

function bodyBytes(request: IncomingMessage): number {
  return request.headers["transfer-encoding"] === undefined
    ? Number(request.headers["content-length"] ?? 0)
    : Infinity;
}
