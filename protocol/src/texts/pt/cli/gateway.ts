/** Holds the texts of the commands about gateways. */

export const gateway = {
  commands: {
    "cluster gateway add": "Cria um convite de uso único para um gateway novo",
    "cluster gateway list": "Lista os gateways, aonde chegam os visitantes",
    "cluster gateway remove": "Tira um gateway do cluster, na hora e para sempre",
  },
  options: {},
  texts: {
    none: "Nenhum gateway: a própria central atende os visitantes. Rode tijolo cluster gateway add.",
    states: { connected: "conectado", unknown: "sem sinal", never_connected: "nunca conectou" },
    gateway: "o gateway (id ou nome)",
    sureToRemove: (name: string) =>
      `Remover o gateway ${name}? Ele sai do cluster na hora e para sempre; o que já sabe, continua servindo até ser desligado.`,
    wouldRemove: (name: string) =>
      `Isto tiraria o gateway ${name} do cluster para sempre. Confirme com --yes.`,
    removed: (name: string) => `O gateway ${name} saiu do cluster. Desligue a máquina, ou o programa nela.`,
  },
};
