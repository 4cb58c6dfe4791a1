/** Says which of a project's settings do not go together. */

export const settingsDetails = {
  staticIsSite: "Um projeto static é sempre um site.",
  botHasNoPort: "Um bot não tem porta.",
  botHasNoSubdomain: "Um bot não tem subdomínio.",
  leastMemory: (minimumMb: number) => `O mínimo para este projeto é ${minimumMb} MB.`,
  staticHasNoCommand: "Um projeto static não tem comando.",
  staticHasNoEntry: "Um projeto static não tem arquivo de entrada; use root.",
  staticHasNoPackages: "Um projeto static não usa pacotes de sistema.",
  staticHasNoProcess:
    "Um projeto static não tem processo: healthPath, drainSeconds e protocol não valem nele.",
  http2HasNoHealthPath: "healthPath é pedido por HTTP/1.1: com protocol h2c não vale.",
  onlyStaticIsSpa: "Só projetos static têm spa: num programa, é ele que responde cada endereço.",
  onlyStaticHasRoot: "Só projetos static têm root.",
};
