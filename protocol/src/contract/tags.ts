/** The groups of operations in the API description. */

import type { Words } from "../values/words.ts";

export interface Tag {
  name: Words;
  text: Words;
}

export const tags = {
  projects: {
    name: { pt: "Projetos", en: "Projects" },
    text: {
      pt: "Bots e sites: criar a partir de um .zip, mostrar, configurar, apagar.",
      en: "Bots and sites: create from a .zip, show, configure, delete.",
    },
  },
  control: {
    name: { pt: "Controle", en: "Control" },
    text: { pt: "Iniciar, parar e reiniciar.", en: "Start, stop and restart." },
  },
  logs: {
    name: { pt: "Logs e métricas", en: "Logs and metrics" },
    text: {
      pt: "O que o projeto escreve e o que ele usa.",
      en: "What the project writes and what it uses.",
    },
  },
  analytics: {
    name: { pt: "Análise", en: "Analytics" },
    text: {
      pt: "Visitas de um site: quantas, de onde, a quê, e em quanto tempo foram respondidas.",
      en: "Visits to a site: how many, from where, to what, and how fast they were answered.",
    },
  },
  variables: {
    name: { pt: "Variáveis de ambiente", en: "Environment variables" },
    text: {
      pt: "Segredos e configuração que o programa lê do ambiente. São guardadas cifradas.",
      en: "Secrets and settings that the program reads from its environment. They are stored encrypted.",
    },
  },
  versions: {
    name: { pt: "Versões dos envios", en: "Versions" },
    text: {
      pt: "O que foi enviado a um projeto, por quem, e como foi a instalação.",
      en: "What was uploaded to a project, by whom, and how the installation went.",
    },
  },
  domains: {
    name: { pt: "Domínios", en: "Domains" },
    text: {
      pt: "Domínios próprios dos sites: quais registros de DNS pedem, e o que o DNS responde.",
      en: "Own domains of sites: which DNS records they need, and what DNS answers.",
    },
  },
  notices: {
    name: { pt: "Avisos", en: "Notices" },
    text: {
      pt: "O que a conta deve saber dos seus projetos, uma vez cada: na lista, por e-mail, no Discord ou num webhook.",
      en: "What the account should know of its projects, once each: in the list, by e-mail, on Discord or to a webhook.",
    },
  },
  account: {
    name: { pt: "Conta", en: "Account" },
    text: {
      pt: "Plano e uso, chaves de API, entrada no painel, atividade.",
      en: "Plan and usage, API keys, signing in to the panel, activity.",
    },
  },
  cluster: {
    name: { pt: "Cluster", en: "Cluster" },
    text: {
      pt: "Para os operadores do serviço: máquinas, contas, imagens, órfãos, chaves mestras e os próprios operadores. Só com um token de operador; uma chave ou uma sessão não serve.",
      en: "For the operators of the service: machines, accounts, images, orphans, master keys and the operators themselves. Only with an operator's token; a key or a session does not open it.",
    },
  },
  service: {
    name: { pt: "Serviço", en: "Service" },
    text: {
      pt: "O que o serviço diz de si a qualquer um.",
      en: "What the service says about itself to anybody.",
    },
  },
} as const satisfies Record<string, Tag>;
