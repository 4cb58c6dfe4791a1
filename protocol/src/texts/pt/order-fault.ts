/** Says to the owner of a domain why it has no certificate yet. */

import type { OrderFault } from "../../nouns/certificate.ts";

export const orderFault: Record<OrderFault, string> = {
  unreachable: "A autoridade que assina certificados não responde. Tentamos de novo sozinhos.",
  nonsense:
    "A autoridade que assina certificados deu uma resposta que não entendemos. Tentamos de novo sozinhos.",
  rate_limited: "A autoridade que assina certificados pediu para esperar. Tentamos de novo sozinhos.",
  refused: "A autoridade recusou assinar para este nome. Quem opera o serviço vê o motivo.",
  validation:
    "A autoridade não encontrou a prova do nome. Confira se ele leva só até aqui, por IPv4 e por IPv6.",
  caa: "Um registro CAA do domínio proíbe a autoridade deste serviço. Tire-o do DNS, ou acrescente a autoridade.",
  no_address: "O nome não tem endereço no DNS, e a autoridade não tem onde olhar.",
  wrong_address: "O nome leva também a um endereço que não responde por nós. Tire-o do DNS.",
  hook_failed: "O registro que prova o nome não pôde ser escrito. Quem opera o serviço vê o motivo.",
  dns_not_seen:
    "O registro que prova o nome não apareceu nos servidores de nomes. Tentamos de novo sozinhos.",
};
