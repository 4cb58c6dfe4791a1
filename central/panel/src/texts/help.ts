import { inBoth } from "./in-both.ts";

export const helpTexts = inBoth(
  {
    title: "Ajuda",
    intro: "Primeiros passos, o que cada código quer dizer, e o que fazer.",
    firstSteps: "Primeiros passos",
    steps: [
      {
        title: "Mande o seu código",
        text: "Arraste a pasta do projeto ou um .zip para qualquer página. A linguagem, o comando e a memória são detectados e dá para mudar tudo antes do envio.",
      },
      {
        title: "Não mande node_modules nem venv",
        text: "As dependências são instaladas aqui, pelo package.json, pelo requirements.txt ou pelo arquivo da sua linguagem. O que o .gitignore e o .svcignore excluem fica de fora.",
      },
      {
        title: "Ponha tokens em Variáveis",
        text: "Um .env não vai no envio. As variáveis ficam cifradas, e o programa as lê do ambiente.",
      },
      {
        title: "Um site escuta em 0.0.0.0, na porta de PORT",
        text: "Quem escuta em 127.0.0.1 não recebe visitas. A porta está na variável PORT.",
      },
      {
        title: "Arquivos que o programa escreve ficam",
        text: "O disco do projeto continua entre reinícios e envios. O que um envio substituiria é guardado por 14 dias.",
      },
    ],
    fromTerminal: "Pelo terminal",
    apiDocs: "Documentação da API",
    exitCodes: "Códigos de saída do programa",
    exitOther: "Outro número é escolhido pelo próprio programa. As últimas linhas do log dizem mais.",
    errorCodes: "Códigos de erro da API",
    projectErrors: "Por que um projeto não está no ar",
    status: (status: number) => `HTTP ${status}`,
    mayRetry: "O mesmo pedido pode dar certo mais tarde, sem mudança.",
    mayNotRetry: "O mesmo pedido será recusado de novo: mude o que a mensagem diz.",
    allTopics: "Ver toda a ajuda",
    unknown: "Não há ajuda sobre isto",
    code: "Código",
    meaning: "O que quer dizer",
  },
  {
    title: "Help",
    intro: "First steps, what each code means, and what to do.",
    firstSteps: "First steps",
    steps: [
      {
        title: "Send your code",
        text: "Drop the project's folder or a .zip on any page. Language, command and memory are detected, and everything can be changed before the upload.",
      },
      {
        title: "Leave node_modules and venv out",
        text: "Dependencies are installed here, from package.json, requirements.txt or your language's file. What .gitignore and .svcignore exclude stays out.",
      },
      {
        title: "Put tokens into Variables",
        text: "A .env does not go along with the upload. Variables are kept encrypted, and the program reads them from its environment.",
      },
      {
        title: "A site listens on 0.0.0.0, on the port of PORT",
        text: "What listens on 127.0.0.1 gets no visits. The port is in the variable PORT.",
      },
      {
        title: "Files that the program writes stay",
        text: "The project's disk lasts over restarts and uploads. What an upload would replace is kept for 14 days.",
      },
    ],
    fromTerminal: "From the terminal",
    apiDocs: "Documentation of the API",
    exitCodes: "Exit codes of the program",
    exitOther: "Another number is chosen by the program itself. The last lines of the log say more.",
    errorCodes: "Error codes of the API",
    projectErrors: "Why a project is not running",
    status: (status) => `HTTP ${status}`,
    mayRetry: "The same request may succeed later, without a change.",
    mayNotRetry: "The same request will be refused again: change what the message says.",
    allTopics: "See all of the help",
    unknown: "There is no help on this",
    code: "Code",
    meaning: "What it means",
  },
);

export const projectErrorTexts = inBoth(
  {
    install_failed:
      "A instalação terminou com um erro. O log de Instalação mostra qual; corrija e envie de novo.",
    install_timeout:
      "A instalação passou do tempo. Veja em que passo parou; menos dependências ou um lockfile ajudam.",
    install_out_of_memory: "A instalação passou da memória. Aumente a memória do projeto e envie de novo.",
    install_interrupted: "A máquina parou no meio da instalação. Envie de novo.",
    system_packages_failed: "Um pacote de sistema não pôde ser instalado. Confira o nome em systemPackages.",
    start_failed: "O comando de início não subiu. Confira command e entry, e o log de Aplicação.",
    process_exited: "O programa terminou e não volta sozinho neste plano. Inicie-o quando quiser.",
    crash_loop: "O programa caiu 5 vezes seguidas e foi parado. Corrija a causa, que o log mostra, e inicie.",
  },
  {
    install_failed:
      "The installation ended with an error. The log of the installation shows which; mend it and upload again.",
    install_timeout:
      "The installation took too long. See at which step it stood; fewer dependencies or a lockfile help.",
    install_out_of_memory:
      "The installation went over its memory. Raise the project's memory and upload again.",
    install_interrupted: "The machine stopped in the middle of the installation. Upload again.",
    system_packages_failed: "A system package could not be installed. Check its name in systemPackages.",
    start_failed:
      "The start command did not come up. Check command and entry, and the log of the application.",
    process_exited:
      "The program ended and does not come back by itself on this plan. Start it when you want.",
    crash_loop:
      "The program crashed 5 times in a row and was stopped. Mend the cause, which the log shows, and start it.",
  },
);
