/** Holds the texts of the commands about certificates. */

import type { ClusterCertificateKind } from "../../../nouns/certificate.ts";

export const certificate = {
  commands: {
    "cluster ca": "Mostra a autoridade do cluster, em PEM, e como confiar nela",
    "cluster certificate list":
      "Lista os certificados que os gateways servem, e os pedidos que não deram certo",
    "cluster certificate set": "Põe um certificado seu, lido de dois arquivos em PEM",
    "cluster certificate remove": "Tira um certificado seu",
  },
  options: { certificateFile: "arquivo da cadeia, em PEM", keyFile: "arquivo da chave, em PEM, sem senha" },
  texts: {
    authority: (name: string, domains: string) => `${name}: assina só para ${domains} e o que fica abaixo.`,
    fingerprint: (sha256: string) => `SHA-256: ${sha256}`,
    until: (at: string) => `Vale até ${at}.`,
    fields: { names: "Nomes", kind: "Tipo", expires: "Vale até", renews: "Renovado" },
    kinds: { local: "local", acme: "pedido", own: "próprio", domain: "do site" } satisfies Record<
      ClusterCertificateKind,
      string
    >,
    byYou: "por você",
    keyLocked: "a chave não abre",
    failed: "Pedidos que não deram certo:",
    failedOrder: (names: string, detail: string, next: string) =>
      `  ${names}: ${detail} (próxima tentativa: ${next})`,
    waiting: (count: number, names: string) =>
      `${count === 1 ? "1 site novo espera" : `${count} sites novos esperam`} o certificado, pois uma autoridade emite poucos por semana: ${names}${names.split(", ").length < count ? "…" : ""}. Com TIJOLO_ACME_DNS_HOOK um curinga serve todos.`,
    set: (names: string, until: string) => `Posto para ${names}; vale até ${until}.`,
    removed: "Tirado.",
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
