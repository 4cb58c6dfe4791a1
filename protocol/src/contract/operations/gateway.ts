/** Defines the operators' operations on gateways. */

import { z } from "zod";
import { gatewaySummary } from "../../nouns/cluster/gateway.ts";
import { timestamp } from "../../nouns/project.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { installScript } from "./install-script.ts";
import { asOperator, asViewer } from "./operator-row.ts";

const gatewayToken = described(
  z.strictObject({ token: z.string(), expiresAt: timestamp, install: installScript.nullable() }),
  {
    token: { pt: "O convite; só aparece aqui.", en: "The join token; it appears only here." },
    expiresAt: { pt: "Até quando vale.", en: "Until when it works." },
    install: {
      pt: "O script que instala o gateway; null quando a central não o serve.",
      en: "The script that installs the gateway; null where central does not serve it.",
    },
  },
);

const oneGateway = described(z.strictObject({ gateway: z.string().trim().min(1).max(100) }), {
  gateway: { pt: "O gateway, por id ou nome.", en: "The gateway, by id or name." },
});

export const gatewayOperations = {
  listGateways: operation({
    ...asViewer,
    path: "/cluster/gateways",
    summary: { pt: "Lista os gateways", en: "Lists the gateways" },
    text: {
      pt: "As máquinas aonde chegam os visitantes, menos as removidas.",
      en: "The machines where visitors arrive, except those that were removed.",
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ gateways: z.array(gatewaySummary) }), {
        gateways: { pt: "Os gateways.", en: "The gateways." },
      }),
    },
    errors: [],
  }),
  createGatewayToken: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/gateways",
    summary: { pt: "Convida um gateway", en: "Invites a gateway" },
    text: {
      pt: "O convite vale 15 minutos e para uma máquina, que entra com ele.",
      en: "The join token works for 15 minutes and for one machine, which joins with it.",
    },
    answer: { kind: "json", status: 201, schema: gatewayToken },
    errors: [],
  }),
  removeGateway: operation({
    ...asOperator,
    method: "DELETE",
    path: "/cluster/gateways/{gateway}",
    summary: { pt: "Remove um gateway", en: "Removes a gateway" },
    text: {
      pt: "A conexão é cortada na hora, e ele não volta. Tire antes a máquina do DNS: ela continua servindo o que sabia.",
      en: "Its connection is cut at once, and it does not come back. Take the machine out of the DNS first: it serves on what it knew.",
    },
    params: oneGateway,
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
};
