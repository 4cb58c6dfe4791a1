/** Texts of `tijolo cluster image`. */

const pt = {
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

const en: typeof pt = {
  commands: {
    "cluster image list": "Lists the images of each machine, and where each language's comes from",
    "cluster image pull": "Gets images ready on the machines before a project needs them",
    "cluster image prune": "Removes the images that no project uses from the machines",
    "cluster image set": "Has a language version run on an image of yours",
    "cluster image unset": "Returns a language version to Tijolo's image",
  },
  options: {
    imageHost: "on this machine only (name or id)",
    allImages: "all versions of all languages",
    imagePackages: "with these system packages, separated by commas",
    imageSources: "also shows why each source was chosen",
  },
  texts: {
    fields: {
      layer: "Layer",
      origin: "Source",
      size: "Size",
      builtAt: "Built",
      projects: "Projects",
      language: "Language",
      image: "Image",
    },
    noHosts: "No machines yet. Run tijolo cluster host add.",
    host: (name, size) => `Machine ${name}: ${size} of images`,
    noLayers: "No images yet.",
    pulledMark: "kept",
    recipes: "Where the image of each version comes from (the first that works):",
    override: (reference) => `${reference} (set by an operator)`,
    notTold: (reference) => `this machine does not know of the change to ${reference} yet`,
    hostLost: (name) =>
      `${name}: did not answer (it is down, silent, or its agent is older). See tijolo cluster host list.`,
    languageAndVersion: "the language and version, such as ruby 4.0 (or --all)",
    reference: "the image, such as registry.example/ruby:4.0",
    badReference: (given) => `"${given}" is not the name of an image, such as registry.example/ruby:4.0`,
    language: "the language",
    versionOf: (language) => `the version of ${language}`,
    nothingMore: "--all says everything: do not name a language as well.",
    pulled: (host, image, origins, size) => `${host}: ${image} is ready (${size}, from ${origins})`,
    unchanged: (host, image, size) => `${host}: ${image} was there already, unchanged (${size})`,
    runningOnOther: (count) =>
      `  ${count === 1 ? "1 running project stays" : `${count} running projects stay`} on the image of before until the next start.`,
    failed: (host, image, reason) => `${host}: ${image} failed: ${reason}`,
    pullCutOff:
      "The pull was cut off in the middle, before every machine had answered. What was on them before stays in use; repeat the command.",
    pullFailed: (count) => `Failures: ${count}. What was on the machines before stays in use.`,
    removed: (host, count, size) =>
      `${host}: ${count === 1 ? "1 layer" : `${count} layers`} removed, ${size} freed`,
    nothingRemoved: (host) => `${host}: nothing to remove`,
    shared: (host) => `${host}: shares its images with other agents of the same machine; nothing was removed`,
    set: (image, reference) => `${image} runs on ${reference} from each project's next start on.`,
    unset: (image) => `${image} returns to Tijolo's image with each project's next start.`,
    wasUnset: (image) => `${image} was on Tijolo's image already.`,
    exclusive: "No other image is used: if it cannot be pulled, the project does not start. Pull it first:",
    away: (count) => `Machines that are away, and will know when they return: ${count}.`,
    reinstall:
      "What projects have installed stays; dependencies compiled for another image need a new upload.",
  },
};

export const image = { pt, en };
