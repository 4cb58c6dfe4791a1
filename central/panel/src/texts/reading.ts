import { inBoth } from "./in-both.ts";

export const readingTexts = inBoth(
  {
    partMissing: "Esta parte do painel não veio. Salve o que digitou e carregue a página de novo.",
    failed: "Isto não carregou",
    offline: "Sem resposta do servidor",
    offlineText: "Confira a sua conexão. O que você digitou continua aqui.",
    retry: "Tentar de novo",
    retryIn: (seconds: number) => `Tente de novo em ${seconds} s.`,
    code: (code: string, requestId: string | null) =>
      requestId === null ? `Código ${code}` : `Código ${code} · pedido ${requestId}`,
    whatIsThis: "O que é isto?",
    pageFailed: "Esta página falhou",
    pageFailedText: "O defeito é do painel. Carregue de novo; se continuar, avise quem opera este serviço.",
    reload: "Carregar de novo",
    notFound: "Não há nada neste endereço",
    notFoundText: "O endereço pode ter um erro, ou o que estava aqui foi apagado.",
    toProjects: "Ver os projetos",
    loading: "Carregando",
  },
  {
    partMissing: "This part of the panel did not come. Save what you typed and load the page again.",
    failed: "This did not load",
    offline: "The server does not answer",
    offlineText: "Check your connection. What you typed is still here.",
    retry: "Try again",
    retryIn: (seconds) => `Try again in ${seconds} s.`,
    code: (code, requestId) => (requestId === null ? `Code ${code}` : `Code ${code} · request ${requestId}`),
    whatIsThis: "What is this?",
    pageFailed: "This page failed",
    pageFailedText: "The fault is the panel's. Load it again; if it stays, tell whoever runs this service.",
    reload: "Load again",
    notFound: "There is nothing at this address",
    notFoundText: "The address may have a mistake, or what was here has been deleted.",
    toProjects: "See the projects",
    loading: "Loading",
  },
);
