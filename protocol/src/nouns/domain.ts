/** Defines the own domains of a site: the name, the DNS records that it needs, and what DNS answers. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { orderFaults } from "./certificate.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { timestamp } from "./project.ts";

export const domainStatuses = ["pending", "active", "failed"] as const;
export const domainStatus = z.enum(domainStatuses);
export type DomainStatus = z.infer<typeof domainStatus>;

/** Reasons why a domain is not active, or soon will not be. */
export const domainErrorCodes = [
  "dns_unreachable",
  "proof_missing",
  "not_pointing",
  "wrong_address",
  "challenge_missing",
  "domain_taken",
  "taken_over",
] as const;
export const domainErrorCode = z.enum(domainErrorCodes);
export type DomainErrorCode = z.infer<typeof domainErrorCode>;

/** Reasons why a domain ended for good; a notice names them. */
export const domainEndReasons = ["not_proven", "proof_gone", "taken_over"] as const;
export const domainEndReason = z.enum(domainEndReasons);
export type DomainEndReason = z.infer<typeof domainEndReason>;

export const domainRecordTypes = ["CNAME", "TXT", "A", "AAAA"] as const;
/** Ways to set a domain up: by one CNAME, or by addresses and a TXT record. */
export const domainWays = ["cname", "addresses"] as const;

/** Longest name of DNS, as it is written. */
export const maxHostnameLength = 253;

export const domainRecord = described(
  z.strictObject({
    way: z.enum(domainWays),
    type: z.enum(domainRecordTypes),
    name: z.string(),
    value: z.string(),
    found: z.array(z.string()),
    isRight: z.boolean(),
  }),
  {
    way: {
      pt: "`cname`: este registro basta; `addresses`: todos os deste grupo são precisos. Um dos grupos basta.",
      en: "`cname`: this record is enough; `addresses`: all of this group are needed. One group is enough.",
    },
    type: { pt: "Tipo do registro.", en: "The record's type." },
    name: { pt: "Nome do registro.", en: "The record's name." },
    value: { pt: "Valor que ele deve ter.", en: "The value that it should have." },
    found: {
      pt: "O que os servidores de nomes do domínio responderam na última conferência; vazio sem registro.",
      en: "What the domain's name servers answered at the last check; empty without a record.",
    },
    isRight: { pt: "Se o registro está certo.", en: "Whether the record is right." },
  },
);
export type DomainRecord = z.infer<typeof domainRecord>;

const domainError = described(z.strictObject({ code: domainErrorCode, message: z.string() }), {
  code: { pt: "Motivo, fixo.", en: "The reason; it never changes." },
  message: {
    pt: "Explicação para uma pessoa; em inglês com `Accept-Language: en`.",
    en: "An explanation for a person; in English with `Accept-Language: en`.",
  },
});

/**
 * `none`: nothing signs certificates for it; `pending`: it is being ordered; `active`: visitors get it; `failed`:
 * its order fails, and is tried again.
 */
export const domainCertificateStatuses = ["none", "pending", "active", "failed"] as const;

const domainCertificate = described(
  z.strictObject({
    status: z.enum(domainCertificateStatuses),
    isOwn: z.boolean(),
    issuer: z.string().nullable(),
    expiresAt: timestamp.nullable(),
    error: described(z.strictObject({ code: z.enum(orderFaults), message: z.string() }), {
      code: { pt: "Motivo, fixo.", en: "The reason; it never changes." },
      message: {
        pt: "Explicação para uma pessoa; em inglês com `Accept-Language: en`.",
        en: "An explanation for a person; in English with `Accept-Language: en`.",
      },
    }).nullable(),
  }),
  {
    status: {
      pt: "`none`: nada assina certificados para ele; `pending`: está sendo pedido; `active`: os visitantes o recebem; `failed`: o pedido falhou, e será refeito.",
      en: "`none`: nothing signs certificates for it; `pending`: it is being ordered; `active`: visitors get it; `failed`: its order failed, and is made again.",
    },
    isOwn: { pt: "Se foi você que o trouxe.", en: "Whether you brought it." },
    issuer: { pt: "Quem o assinou; null se não há.", en: "Who signed it; null if there is none." },
    expiresAt: { pt: "Quando vence; null se não há.", en: "When it ends; null if there is none." },
    error: {
      pt: "Por que o último pedido falhou; null se nenhum falhou.",
      en: "Why the last order failed; null if none did.",
    },
  },
);
export type DomainCertificate = z.infer<typeof domainCertificate>;

const redirectWords = {
  pt: "Nome para onde as visitas são mandadas (308, com o mesmo caminho); null: o site responde.",
  en: "The name that visits are sent to (308, with the same path); null: the site answers.",
};

export const domain = component(
  "Domain",
  z.strictObject({
    hostname: z.string(),
    unicodeHostname: z.string(),
    status: domainStatus,
    redirectTo: z.string().nullable(),
    records: z.array(domainRecord),
    error: domainError.nullable(),
    certificate: domainCertificate,
    checkedAt: timestamp.nullable(),
    createdAt: timestamp,
  }),
  {
    text: {
      pt: "Um domínio próprio de um site. Fica ativo quando o DNS prova que é da conta e leva até aqui.",
      en: "A site's own domain. It becomes active once DNS proves that it is the account's and leads here.",
    },
    example: {
      hostname: "www.xn--caf-dma.com.br",
      unicodeHostname: "www.café.com.br",
      status: "pending",
      redirectTo: null,
      records: [
        {
          way: "cname",
          type: "CNAME",
          name: "www.xn--caf-dma.com.br",
          value: "k3v9q2m7x1c5b8n4.dominios.tijolo.example",
          found: [],
          isRight: false,
        },
      ],
      error: {
        code: "proof_missing",
        message: "O registro que prova que o domínio é seu ainda não aparece no DNS.",
      },
      certificate: { status: "none", isOwn: false, issuer: null, expiresAt: null, error: null },
      checkedAt: "2026-01-01T12:00:00.000Z",
      createdAt: "2026-01-01T12:00:00.000Z",
    },
    fields: {
      hostname: {
        pt: "O nome, como o DNS o escreve (A-labels); `*.` no começo vale para todo nome abaixo.",
        en: "The name as DNS writes it (A-labels); a leading `*.` stands for every name below.",
      },
      unicodeHostname: { pt: "O nome, como as pessoas o leem.", en: "The name as people read it." },
      status: {
        pt: "`pending`: à espera do DNS; `active`: o site responde por ele; `failed`: deixamos de conferir.",
        en: "`pending`: waits for DNS; `active`: the site answers under it; `failed`: it is no longer checked.",
      },
      redirectTo: redirectWords,
      records: {
        pt: "Os registros de DNS que ele precisa, com o que foi achado.",
        en: "The DNS records that it needs, with what was found.",
      },
      error: {
        pt: "O que falta, na última conferência; null se nada.",
        en: "What is missing, at the last check; null if nothing is.",
      },
      certificate: {
        pt: "O certificado com que o site responde por ele em HTTPS.",
        en: "The certificate with which the site answers under it over HTTPS.",
      },
      checkedAt: {
        pt: "Quando foi conferido; null se ainda não.",
        en: "When it was checked last; null if it was not yet.",
      },
      createdAt: sharedWords.createdAt,
    },
  },
);
export type Domain = z.infer<typeof domain>;

export const newDomain = described(
  z.strictObject({
    hostname: z.string().min(1).max(maxHostnameLength),
    redirectTo: z.string().min(1).max(maxHostnameLength).optional(),
  }),
  {
    hostname: {
      pt: "O nome, com ou sem acentos: `www.exemplo.com.br`, ou `*.exemplo.com.br` para todos abaixo.",
      en: "The name, in any script: `www.exemplo.com.br`, or `*.exemplo.com.br` for all names below.",
    },
    redirectTo: redirectWords,
  },
);
