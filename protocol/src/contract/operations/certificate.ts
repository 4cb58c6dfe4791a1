/** Defines the operators' operations on the cluster's certificates. */

import { z } from "zod";
import {
  clusterCertificate,
  failedOrder,
  givenCertificate,
  localAuthority,
} from "../../nouns/certificate.ts";
import { id } from "../../values/id.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { asOperator, asViewer, bodyErrors } from "./operator-row.ts";

export const certificateOperations = {
  getAuthority: operation({
    ...asViewer,
    path: "/cluster/certificates/authority",
    summary: { pt: "Mostra a autoridade do cluster", en: "Shows the cluster's authority" },
    text: {
      pt: "O certificado com que se confia nos endereços locais. `not_found` enquanto a central não tem chave mestra para guardar a dela.",
      en: "The certificate by which local addresses are trusted. `not_found` while central has no master key to seal its key with.",
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ authority: localAuthority }), {
        authority: { pt: "A autoridade.", en: "The authority." },
      }),
    },
    errors: ["not_found"],
  }),
  listCertificates: operation({
    ...asViewer,
    path: "/cluster/certificates",
    summary: { pt: "Lista os certificados", en: "Lists the certificates" },
    text: {
      pt: "O que os gateways servem, e os pedidos que não deram certo.",
      en: "What gateways serve, and the orders that failed.",
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(
        z.strictObject({
          certificates: z.array(clusterCertificate),
          failedOrders: z.array(failedOrder),
          waitingNames: z.array(z.string()),
        }),
        {
          certificates: { pt: "Os certificados.", en: "The certificates." },
          failedOrders: {
            pt: "Os pedidos que esperam outra tentativa.",
            en: "The orders that wait for another try.",
          },
          waitingNames: {
            pt: "Os nomes de sites novos que esperam: uma autoridade emite poucos certificados por semana. Com `TIJOLO_ACME_DNS_HOOK` um só serve todos.",
            en: "The names of new sites that wait: an authority issues few certificates in a week. With `TIJOLO_ACME_DNS_HOOK` one serves them all.",
          },
        },
      ),
    },
    errors: [],
  }),
  setCertificate: operation({
    ...asOperator,
    method: "PUT",
    path: "/cluster/certificates",
    summary: { pt: "Põe um certificado próprio", en: "Sets a certificate of your own" },
    text: {
      pt: "Para os nomes que ele traz; toma o lugar do que um operador pôs para os mesmos nomes, e nada é pedido para eles.",
      en: "For the names that it states; it takes the place of an operator's for the same names, and nothing is ordered for them.",
    },
    body: {
      kind: "json",
      example: {
        certificate: "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n",
        privateKey: "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
      },
      schema: givenCertificate,
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ certificate: clusterCertificate }), {
        certificate: { pt: "O certificado.", en: "The certificate." },
      }),
    },
    errors: [...bodyErrors, "invalid_certificate", "variables_unavailable"],
  }),
  removeCertificate: operation({
    ...asOperator,
    method: "DELETE",
    path: "/cluster/certificates/{certificateId}",
    summary: { pt: "Tira um certificado próprio", en: "Removes a certificate of your own" },
    text: {
      pt: "Só os que um operador pôs; os outros são renovados sozinhos.",
      en: "Only an operator's; the others are renewed by themselves.",
    },
    params: described(z.strictObject({ certificateId: id }), {
      certificateId: { pt: "Id do certificado.", en: "The certificate's id." },
    }),
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
};
