/** Holds the texts of the commands about certificates. */

export const certificate = {
  commands: {
    "cluster ca": "Mostra a autoridade do cluster, em PEM, e como confiar nela",
  },
  options: {},
  texts: {
    authority: (name: string, domains: string) => `${name}: assina só para ${domains} e o que fica abaixo.`,
    fingerprint: (sha256: string) => `SHA-256: ${sha256}`,
    until: (at: string) => `Vale até ${at}.`,
    howToTrust: [
      "Para confiar nela, guarde-a num arquivo: tijolo cluster ca > tijolo-ca.crt",
      "  Debian, Ubuntu: sudo cp tijolo-ca.crt /usr/local/share/ca-certificates/ && sudo update-ca-certificates",
      "  macOS: sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain tijolo-ca.crt",
      "  Windows: certutil -addstore Root tijolo-ca.crt",
      "  Firefox: Configurações, Certificados, Ver certificados, Autoridades, Importar",
      "  curl: curl --cacert tijolo-ca.crt https://…",
    ],
  },
};
