/** Says why there is no project behind an address; `{port}` stands for the port of the project. */

export const sitePages = {
  site_starting: {
    title: "O site está iniciando…",
    text: "Ele ainda não atende. Esta página se atualiza sozinha.",
  },
  site_installing: {
    title: "Este site está sendo instalado",
    text: "O código chegou e as dependências estão sendo instaladas. Esta página se atualiza sozinha.",
  },
  site_stopped: {
    title: "Este site está parado",
    text: "Quem cuida dele pode iniciá-lo pelo painel ou com tijolo start.",
  },
  site_maintenance: {
    title: "Este site está em manutenção",
    text: "Ele volta em breve.",
  },
  site_error: {
    title: "Este site está com erro",
    text: "Ele não conseguiu subir. Se o site é seu, veja os logs no painel ou com tijolo logs.",
  },
  site_crash_loop: {
    title: "Este site está em loop de erro",
    text: "Ele caiu várias vezes seguidas e parou de tentar. Se o site é seu, veja os logs no painel ou com tijolo logs.",
  },
  site_not_found: {
    title: "Não há nenhum site aqui",
    text: "Confira o endereço: nenhum projeto usa este nome.",
  },
  file_not_found: {
    title: "Página não encontrada",
    text: "O site existe, mas não tem esta página.",
  },
  host_unreachable: {
    title: "O servidor deste site não responde agora",
    text: "A falha é do nosso lado. Esta página tenta de novo sozinha.",
  },
  overloaded: {
    title: "Este site recebe visitas demais agora",
    text: "Tente de novo em alguns segundos.",
  },
  app_not_listening: {
    title: "O site está no ar, mas não atende na porta",
    text: "Se o site é seu: o programa precisa escutar em 0.0.0.0 (não em 127.0.0.1), na porta {port}, que também está na variável PORT.",
  },
  app_bad_response: {
    title: "O site respondeu de um jeito inválido",
    text: "O programa encerrou a conexão ou não falou HTTP. Se o site é seu, veja os logs.",
  },
  app_timeout: {
    title: "O site demorou demais",
    text: "O programa não respondeu a tempo. Tente de novo; se o site é seu, veja os logs.",
  },
  bad_request: {
    title: "Pedido inválido",
    text: "O navegador ou programa enviou um pedido que não dá para entender.",
  },
  headers_too_large: {
    title: "Cabeçalhos grandes demais",
    text: "Apague os cookies deste site e tente de novo.",
  },
};
