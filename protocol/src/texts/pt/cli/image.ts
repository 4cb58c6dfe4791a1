/** Texts of `tijolo cluster image`. */

export const image = {
  commands: {
    "cluster image list": "Lista as imagens de cada máquina e de onde vem a de cada linguagem",
    "cluster image pull": "Prepara imagens nas máquinas antes que um projeto precise delas",
    "cluster image prune": "Remove das máquinas as imagens que nenhum projeto usa",
    "cluster image set": "Faz uma versão de linguagem rodar em uma imagem sua",
    "cluster image unset": "Volta uma versão de linguagem para a imagem do Tijolo",
  },
  options: {
    imageHost: "só nesta máquina (nome ou id)",
    allImages: "todas as versões de todas as linguagens",
    imagePackages: "com estes pacotes de sistema, separados por vírgula",
    imageSources: "mostra também por que cada origem foi escolhida",
  },
  texts: {
    fields: {
      layer: "Camada",
      origin: "Origem",
      size: "Tamanho",
      builtAt: "Criada em",
      projects: "Projetos",
      language: "Linguagem",
      image: "Imagem",
    },
    noHosts: "Nenhuma máquina ainda. Rode tijolo cluster host add.",
    host: (name: string, size: string) => `Máquina ${name}: ${size} em imagens`,
    noLayers: "Nenhuma imagem ainda.",
    pulledMark: "mantida",
    recipes: "De onde vem a imagem de cada versão (a primeira que funcionar):",
    override: (reference: string) => `${reference} (definida por operador)`,
    notTold: (reference: string) => `esta máquina ainda não sabe da mudança para ${reference}`,
    hostLost: (name: string) =>
      `${name}: não respondeu (está fora do ar, sem sinal ou com um agente mais antigo). Veja tijolo cluster host list.`,
    languageAndVersion: "a linguagem e a versão, como ruby 4.0 (ou --all)",
    reference: "a imagem, como registry.example/ruby:4.0",
    badReference: (given: string) => `"${given}" não é o nome de uma imagem, como registry.example/ruby:4.0`,
    language: "a linguagem",
    versionOf: (language: string) => `a versão de ${language}`,
    nothingMore: "--all já diz tudo: não dê também uma linguagem.",
    pulled: (host: string, image: string, origins: string, size: string) =>
      `${host}: ${image} está pronta (${size}, de ${origins})`,
    unchanged: (host: string, image: string, size: string) =>
      `${host}: ${image} já estava lá, sem mudança (${size})`,
    runningOnOther: (count: number) =>
      `  ${count === 1 ? "1 projeto que roda continua" : `${count} projetos que rodam continuam`} na imagem de antes até o próximo início.`,
    failed: (host: string, image: string, reason: string) => `${host}: ${image} falhou: ${reason}`,
    pullCutOff:
      "O pedido foi cortado no meio, e nem todas as máquinas responderam. O que já estava nelas continua em uso; repita o comando.",
    pullFailed: (count: number) => `Falhas: ${count}. O que já estava nas máquinas continua em uso.`,
    removed: (host: string, count: number, size: string) =>
      `${host}: ${count === 1 ? "1 camada removida" : `${count} camadas removidas`}, ${size} liberados`,
    nothingRemoved: (host: string) => `${host}: nada a remover`,
    shared: (host: string) =>
      `${host}: divide as imagens com outros agentes da mesma máquina; nada foi removido`,
    set: (image: string, reference: string) =>
      `${image} roda em ${reference} a partir do próximo início de cada projeto.`,
    unset: (image: string) => `${image} volta à imagem do Tijolo a partir do próximo início de cada projeto.`,
    wasUnset: (image: string) => `${image} já usava a imagem do Tijolo.`,
    exclusive: "Só essa imagem é usada: se ela não puder ser baixada, o projeto não inicia. Baixe-a antes:",
    away: (count: number) => `Máquinas fora do ar, que saberão disso quando voltarem: ${count}.`,
    reinstall:
      "O que os projetos já instalaram fica; dependências compiladas para outra imagem pedem um novo envio do código.",
  },
};
