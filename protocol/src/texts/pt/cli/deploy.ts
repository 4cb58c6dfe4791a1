/** What a deploy became: texts of `tijolo up`, and of what else puts a version into a project. */

export const deploy = {
  texts: {
    goesOn: "O envio continua sem este comando. Acompanhe com tijolo status e tijolo logs -f.",
    startsStopped: (name: string) => `${name} estava parado; iniciando com o código novo.`,
    staysStopped: "O código está instalado. Para iniciar: tijolo start",
    didNotComeUp: (name: string) => `${name} não subiu.`,
    versionDidNotComeUp: (version: number, reason: string) => `A versão ${version} não subiu: ${reason}`,
    stillServes: (version: number) => `A versão ${version} continua no ar.`,
    nothingServes: "Nenhuma versão está no ar.",
    notListening: (name: string, port: number) =>
      `${name} está rodando, mas ainda não ouve a porta ${port}: o endereço dele não responde.`,
    notSeenUp: (name: string) => `${name} está rodando, mas o servidor ainda não confirmou que ele subiu.`,
    superseded: (version: number) =>
      `Outro envio tomou o lugar da versão ${version} antes de ela subir. Veja: tijolo versions`,
    siteEnded: (name: string) =>
      `${name} terminou com código 0. Um site precisa continuar rodando para responder.`,
    wasStopped: (name: string) => `${name} foi parado antes de subir. Para iniciar: tijolo start`,
  },
};
