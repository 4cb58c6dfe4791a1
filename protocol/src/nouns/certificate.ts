/** Defines the certificates of a cluster, as an operator sees them. */

import { z } from "zod";
import { component } from "../contract/described.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { id } from "../values/id.ts";
import { timestamp } from "./project.ts";

export const localAuthority = component(
  "LocalAuthority",
  z.strictObject({
    certificate: z.string(),
    name: z.string(),
    domains: z.array(z.string()),
    fingerprint: z.string(),
    keyFingerprint: z.string(),
    createdAt: timestamp,
    expiresAt: timestamp,
  }),
  {
    text: {
      pt: "A autoridade do cluster, que assina o que nenhuma pública assina. Quem confia nela confia só nos domínios dela.",
      en: "The cluster's own authority, which signs what no public one does. Whoever trusts it trusts its domains only.",
    },
    fields: {
      certificate: {
        pt: "O certificado, em PEM; não é segredo.",
        en: "The certificate, in PEM; it is no secret.",
      },
      name: { pt: "O nome dela, como um navegador o lista.", en: "Its name, as a browser lists it." },
      domains: {
        pt: "Os domínios para os quais ela pode assinar, com tudo o que fica abaixo.",
        en: "The domains that it may sign for, with all that lies below them.",
      },
      fingerprint: { pt: "O SHA-256 do certificado.", en: "The certificate's SHA-256." },
      keyFingerprint: {
        pt: "O SHA-256 da chave pública, que fica quando o certificado é renovado.",
        en: "The public key's SHA-256, which stays when the certificate is renewed.",
      },
      createdAt: sharedWords.createdAt,
      expiresAt: { pt: "Até quando vale.", en: "When it ends." },
    },
  },
);
export type LocalAuthority = z.infer<typeof localAuthority>;

/** `local`: signed by the cluster's authority; `acme`: ordered; `own`: an operator's; `domain`: a site's owner's. */
export const clusterCertificateKinds = ["local", "acme", "own", "domain"] as const;
export type ClusterCertificateKind = (typeof clusterCertificateKinds)[number];

export const clusterCertificate = component(
  "ClusterCertificate",
  z.strictObject({
    id,
    kind: z.enum(clusterCertificateKinds),
    names: z.array(z.string()),
    issuer: z.string(),
    fingerprint: z.string(),
    expiresAt: timestamp,
    renewsAt: timestamp.nullable(),
    isReadable: z.boolean(),
  }),
  {
    text: { pt: "Um certificado que os gateways servem.", en: "A certificate that gateways serve." },
    fields: {
      id: sharedWords.id,
      kind: {
        pt: "`local`: da autoridade do cluster; `acme`: pedido a uma autoridade; `own`: posto por um operador.",
        en: "`local`: of the cluster's authority; `acme`: ordered from an authority; `own`: set by an operator.",
      },
      names: { pt: "Os nomes para os quais ele vale.", en: "The names that it is for." },
      issuer: { pt: "Quem o assinou.", en: "Who signed it." },
      fingerprint: { pt: "O SHA-256 do certificado.", en: "The certificate's SHA-256." },
      expiresAt: { pt: "Até quando vale.", en: "When it ends." },
      renewsAt: {
        pt: "Quando é renovado; null: um operador põe o próximo.",
        en: "When it is renewed; null: an operator sets the next one.",
      },
      isReadable: {
        pt: "Se a central abre a chave; false: a chave mestra sumiu, e os gateways seguem com o que têm.",
        en: "Whether central opens its key; false: the master key is gone, and gateways go on with what they have.",
      },
    },
  },
);
export type ClusterCertificate = z.infer<typeof clusterCertificate>;

/** Reasons why an order of a certificate failed. */
export const orderFaults = [
  "unreachable",
  "nonsense",
  "rate_limited",
  "refused",
  "validation",
  "caa",
  "no_address",
  "wrong_address",
  "hook_failed",
  "dns_not_seen",
] as const;
export type OrderFault = (typeof orderFaults)[number];

export const failedOrder = component(
  "FailedCertificateOrder",
  z.strictObject({
    names: z.array(z.string()),
    fault: z.enum(orderFaults),
    detail: z.string(),
    failures: z.int(),
    failedAt: timestamp,
    nextTryAt: timestamp,
  }),
  {
    text: {
      pt: "Um pedido de certificado que não deu certo e será tentado de novo.",
      en: "An order of a certificate that failed and will be tried again.",
    },
    fields: {
      names: { pt: "Os nomes do pedido.", en: "The names of the order." },
      fault: {
        pt: "`unreachable`: a autoridade não responde; `nonsense`: a resposta dela não é do protocolo; `rate_limited`: ela pede que se espere; `refused`: ela recusa; `validation`: ela não achou a prova; `caa`: um registro CAA a proíbe; `no_address`: o nome não tem endereço; `wrong_address`: ele leva a outro lugar; `hook_failed`: o gancho de DNS falhou; `dns_not_seen`: o registro não apareceu.",
        en: "`unreachable`: the authority does not answer; `nonsense`: its answer is none of the protocol's; `rate_limited`: it asks to wait; `refused`: it refuses; `validation`: it did not find the proof; `caa`: a CAA record forbids it; `no_address`: the name has no address; `wrong_address`: it leads elsewhere; `hook_failed`: the DNS hook failed; `dns_not_seen`: the record did not appear.",
      },
      detail: { pt: "Nas palavras de quem recusou.", en: "In the words of whoever refused." },
      failures: { pt: "Quantas vezes seguidas.", en: "How many times in a row." },
      failedAt: { pt: "Quando foi a última.", en: "When it failed last." },
      nextTryAt: { pt: "Quando é a próxima tentativa.", en: "When the next try is." },
    },
  },
);
export type FailedCertificateOrder = z.infer<typeof failedOrder>;

const maxPemLength = 65_536;

/** A certificate that somebody brings. Longer texts than this are refused with a reason, by the rule. */
export const givenCertificate = component(
  "GivenCertificate",
  z.strictObject({
    certificate: z.string().max(2 * maxPemLength),
    privateKey: z.string().max(2 * maxPemLength),
  }),
  {
    text: { pt: "Um certificado seu, com a chave.", en: "A certificate of yours, with its key." },
    fields: {
      certificate: {
        pt: "A cadeia em PEM, de até 64 KB: o certificado primeiro, depois os que o assinaram.",
        en: "The chain in PEM, up to 64 KB: the certificate first, then those that signed it.",
      },
      privateKey: {
        pt: "A chave em PEM, sem senha: RSA de 2048 bits ou mais, ou P-256 ou P-384.",
        en: "The key in PEM, without a passphrase: RSA of 2048 bits or more, or P-256 or P-384.",
      },
    },
  },
);
