/** Says why a name cannot be a site's domain. */

export const domainRefusals = {
  malformed:
    "Escreva só o nome, como www.exemplo.com.br: letras, números e hífens, com pontos entre as partes.",
  ip_address: "É um endereço IP; use um nome.",
  one_label: "Falta o final, como .com.br.",
  public_suffix: "É um final sob o qual qualquer um registra nomes; use o seu nome abaixo dele.",
  too_long: "Tem mais de 253 caracteres.",
  special_use: "É um nome reservado, que não existe na internet.",
  own_name: "É um nome do próprio serviço.",
  not_a_site: "O projeto é um bot; só um site tem domínios.",
  alreadyHere: "Ele já está nesta conta; tire-o do outro projeto antes.",
};
