/** Texts of `tijolo domains …`. */

import type { DomainCertificate, DomainStatus } from "../../../nouns/domain.ts";

export const domain = {
  commands: {
    "domains list": "Lista os domínios de um site, com os registros de DNS pedidos e os achados",
    "domains add": "Põe um domínio próprio num site, e mostra os registros de DNS que faltam",
    "domains verify": "Confere o DNS de um domínio agora",
    "domains remove": "Tira um domínio de um site",
    "domains certificate": "Traz um certificado seu para um domínio, lido de dois arquivos em PEM",
  },
  options: {
    redirectTo: "manda as visitas para este nome (308), em vez de servir o site",
    removeCertificate: "tira o certificado que você trouxe",
  },
  texts: {
    none: "Nenhum domínio. Ponha um: tijolo domains add www.exemplo.com.br",
    statuses: { pending: "à espera do DNS", active: "ativo", failed: "parado" } satisfies Record<
      DomainStatus,
      string
    > as Record<DomainStatus, string>,
    redirects: (target: string) => `→ ${target}`,
    checked: (time: string) => `conferido em ${time}`,
    notChecked: "ainda não conferido",
    byCname: "Com um CNAME:",
    byAddresses: "Ou com endereços e TXT:",
    onlyAddresses: "No DNS:",
    record: "Registro",
    wanted: "Pedido",
    found: "Achado",
    added: "Posto. Crie no DNS os registros acima; conferimos sozinhos, ou já: tijolo domains verify",
    removed: (hostname: string) => `${hostname} saiu. Tire os registros dele do DNS também.`,
    https: (state: string) => `HTTPS: ${state}`,
    certificates: {
      none: "nada assina certificados para este nome; traga um com tijolo domains certificate",
      pending: "o certificado está a caminho",
      failed: "o pedido do certificado falhou, e será refeito",
    } satisfies Record<Exclude<DomainCertificate["status"], "active">, string> as Record<
      Exclude<DomainCertificate["status"], "active">,
      string
    >,
    certificateUntil: (issuer: string, until: string, isOwn: boolean) =>
      `${isOwn ? "certificado seu" : "certificado"} de ${issuer}, vale até ${until}`,
    certificateRemoved: (hostname: string) => `O certificado que você trouxe para ${hostname} saiu.`,
    certificateOrRemove: "Diga --certificate e --key, ou --remove.",
  },
};
