/** Defines the operations on the own domains of a site. */

import { z } from "zod";
import { givenCertificate } from "../../nouns/certificate.ts";
import { domain, newDomain } from "../../nouns/domain.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { sharedWords } from "../shared-words.ts";
import { none, oneProject } from "./inputs.ts";
import { tags } from "../tags.ts";

/** Longest hostname in an address: characters of other scripts may be more as A-labels. */
const maxPathLength = 300;

const oneDomain = described(
  z.strictObject({ ...oneProject.shape, hostname: z.string().min(1).max(maxPathLength) }),
  {
    id: sharedWords.id,
    hostname: {
      pt: "O nome do domínio, com ou sem acentos.",
      en: "The domain's name, in any script.",
    },
  },
);
const domainWords = { domain: { pt: "O domínio.", en: "The domain." } };
const domainAnswer = described(z.strictObject({ domain }), domainWords);

export const domainOperations = {
  listDomains: operation({
    method: "GET",
    path: "/projects/{id}/domains",
    tag: tags.domains,
    summary: { pt: "Lista os domínios de um site", en: "Lists a site's domains" },
    text: {
      pt: "Cada um com os registros de DNS que precisa e com o que os servidores de nomes responderam na última conferência. Do mais velho ao mais novo.",
      en: "Each with the DNS records that it needs and with what the name servers answered at the last check. The oldest first.",
    },
    access: { kind: "key", scope: "domains:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ domains: z.array(domain) }), {
        domains: { pt: "Os domínios.", en: "The domains." },
      }),
    },
    errors: ["not_found"],
  }),
  addDomain: operation({
    method: "POST",
    path: "/projects/{id}/domains",
    tag: tags.domains,
    summary: { pt: "Põe um domínio próprio num site", en: "Adds an own domain to a site" },
    text: {
      pt: "O domínio fica `pending` até o DNS provar que é da conta (o CNAME único, ou o registro TXT) e levar até aqui (o CNAME, os endereços, ou um CDN que chega até nós). Conferimos na hora, depois de 1, 5 e 15 minutos, e de hora em hora por 7 dias; `verify` confere já. Um domínio ativo é conferido uma vez por dia.",
      en: "The domain stays `pending` until DNS proves that it is the account's (the unique CNAME, or the TXT record) and leads here (the CNAME, the addresses, or a CDN that reaches us). It is checked at once, after 1, 5 and 15 minutes, and every hour for 7 days; `verify` checks now. An active domain is checked once a day.",
    },
    access: { kind: "key", scope: "domains:write" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "json", example: { hostname: "www.exemplo.com.br" }, schema: newDomain },
    answer: { kind: "json", status: 201, schema: domainAnswer },
    errors: [
      "not_found",
      "unsupported_media_type",
      "payload_too_large",
      "account_suspended",
      "beta_ending",
      "invalid_domain",
      "wildcard_not_available",
      "domain_taken",
      "domain_limit_reached",
    ],
  }),
  verifyDomain: operation({
    method: "POST",
    path: "/projects/{id}/domains/{hostname}/verify",
    tag: tags.domains,
    summary: { pt: "Confere o DNS de um domínio agora", en: "Checks a domain's DNS now" },
    text: {
      pt: "Pergunta aos servidores de nomes do próprio domínio, por até 5 segundos, e responde com o que acharam. Até 10 vezes por minuto na conta. Um domínio que falhou pode voltar assim.",
      en: "Asks the domain's own name servers, for up to 5 seconds, and responds with what they have. Up to 10 times a minute per account. A domain that failed can come back this way.",
    },
    access: { kind: "key", scope: "domains:write" },
    effect: "change",
    params: oneDomain,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: domainAnswer },
    errors: ["not_found", "domain_taken", "too_many_requests"],
  }),
  setDomainCertificate: operation({
    method: "PUT",
    path: "/projects/{id}/domains/{hostname}/certificate",
    tag: tags.domains,
    summary: { pt: "Traz um certificado para um domínio", en: "Brings a certificate for a domain" },
    text: {
      pt: "Vale só para este nome, enquanto o domínio está ativo e o certificado não venceu; enquanto vale, nenhum outro é pedido. Toma o lugar do que você trouxe antes. A chave fica cifrada e não volta em resposta nenhuma.",
      en: "It is for this name alone, while the domain is active and the certificate has not ended; meanwhile no other is ordered. It takes the place of the one that you brought before. The key is kept sealed and is in no response.",
    },
    access: { kind: "key", scope: "domains:write" },
    effect: "change",
    params: oneDomain,
    query: none,
    body: {
      kind: "json",
      example: {
        certificate: "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n",
        privateKey: "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
      },
      schema: givenCertificate,
    },
    answer: { kind: "json", status: 200, schema: domainAnswer },
    errors: [
      "not_found",
      "unsupported_media_type",
      "payload_too_large",
      "account_suspended",
      "beta_ending",
      "invalid_certificate",
      "variables_unavailable",
    ],
  }),
  removeDomainCertificate: operation({
    method: "DELETE",
    path: "/projects/{id}/domains/{hostname}/certificate",
    tag: tags.domains,
    summary: { pt: "Tira o certificado que você trouxe", en: "Removes the certificate that you brought" },
    text: {
      pt: "Depois dele vale o que o serviço pede, onde pede certificados.",
      en: "After it the one that the service orders is used, where it orders certificates.",
    },
    access: { kind: "key", scope: "domains:write" },
    effect: "change",
    params: oneDomain,
    query: none,
    body: { kind: "none" },
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
  removeDomain: operation({
    method: "DELETE",
    path: "/projects/{id}/domains/{hostname}",
    tag: tags.domains,
    summary: { pt: "Tira um domínio de um site", en: "Removes a domain from a site" },
    text: {
      pt: "O site deixa de responder por ele na hora. O DNS fica como está: tire de lá os registros também.",
      en: "The site stops answering under it at once. DNS stays as it is: remove its records there, too.",
    },
    access: { kind: "key", scope: "domains:write" },
    effect: "change",
    params: oneDomain,
    query: none,
    body: { kind: "none" },
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
};
