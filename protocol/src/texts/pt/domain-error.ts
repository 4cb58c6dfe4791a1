/** Says why a domain is not active, or soon will not be. */

import type { DomainErrorCode } from "../../nouns/domain.ts";

/** `addresses`: those that DNS has and that are not this service's. */
export const domainError: Record<DomainErrorCode, (addresses: string) => string> = {
  dns_unreachable: () =>
    "Os servidores de nomes do domínio não responderam. Confira se ele está registrado e se os servidores de nomes dele estão no ar.",
  proof_missing: () =>
    "O registro que prova que o domínio é seu ainda não aparece no DNS. Crie-o como está em records; pode levar uns minutos para aparecer.",
  not_pointing: () =>
    "O domínio é seu, mas ainda não leva até aqui. Crie o CNAME, ou os endereços, como estão em records.",
  wrong_address: (addresses) =>
    `O domínio é seu, mas leva também a ${addresses}, que não é daqui. Tire esses endereços do DNS, ou troque-os pelos de records.`,
  challenge_missing: () =>
    "Falta o CNAME de _acme-challenge: sem ele não há certificado para um domínio com *. Crie-o como está em records.",
  domain_taken: () =>
    "O DNS prova que o domínio é seu, mas outra conta o usa e a prova dela ainda está lá. Tire do DNS o registro que não é desta conta.",
  taken_over: () =>
    "Outra conta provou que o domínio é dela, e a sua prova não está mais no DNS. Se ele é seu, crie o registro de novo e confira.",
};
