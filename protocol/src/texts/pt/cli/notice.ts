/** Texts of `tijolo notices …` and `tijolo cluster announce`. */

import type { DeliveryErrorCode } from "../../../nouns/notice.ts";

export const notice = {
  commands: {
    notices: "Mostra os avisos da conta: memória, quedas, atualizações, limites, manutenção",
    "notices read": "Marca um aviso, ou todos, como lido",
    "notices channels": "Mostra por onde os avisos saem (pede e-mail e senha)",
    "notices channels set": "Escolhe por onde os avisos saem (pede e-mail e senha)",
    "notices channels test": "Envia um aviso de teste por todos os canais (pede e-mail e senha)",
    "cluster announce": "Anuncia algo a todas as contas, ou às que têm projetos numa máquina",
    "cluster announcements": "Mostra os anúncios, e a quantas contas já chegaram",
  },
  options: {
    unread: "só os que não foram lidos",
    allNotices: "todos os avisos",
    mailKinds: "avisos que vão por e-mail: nomes com vírgulas, all ou none",
    discord: "o endereço do webhook do Discord, ou none",
    discordKinds: "avisos que vão ao Discord: nomes com vírgulas, ou all",
    webhook: "o endereço do seu servidor, ou none",
    webhookKinds: "avisos que vão ao webhook: nomes com vírgulas, ou all",
    announceHost: "só a quem tem projetos nesta máquina, como manutenção dela",
  },
  texts: {
    none: "Nenhum aviso.",
    unread: (count: number) => `${count} não lido(s). Marque com tijolo notices read --all.`,
    id: "o id do aviso (ou --all)",
    text: "o texto do anúncio",
    noChange: "Diga o que muda: --mail, --discord ou --webhook.",
    idOrAll: "Diga o id de um aviso ou --all, não os dois.",
    wasRead: (title: string) => `Lido: ${title}`,
    allRead: (count: number) => `${count} aviso(s) marcado(s) como lido(s).`,
    channel: "Canal",
    where: "Para onde",
    kinds: "Avisos",
    state: "Situação",
    off: "desligado",
    noAddress: "sem endereço: a conta não tem pessoa, ou o serviço não envia e-mail",
    unreadable: "o endereço guardado não abre; grave-o de novo",
    noKinds: "nenhum",
    never: "nada enviado ainda",
    sent: (time: string) => `entregue em ${time}`,
    failed: (reason: string, time: string) => `falhou em ${time}: ${reason}`,
    failing: (since: string) => `só falhas desde ${since}`,
    stored: "Gravado. Experimente: tijolo notices channels test",
    signingKey: "A chave que assina o webhook; guarde agora, ela não aparece de novo:",
    tested: "Enviado. O resultado aparece em instantes em tijolo notices channels.",
    kindsChoice: "avisos destes, com vírgulas",
    announced: (id: string) => `Anúncio ${id}. Ele chega às contas aos poucos: tijolo cluster announcements`,
    noAnnouncements: "Nenhum anúncio.",
    reached: (accounts: number, isComplete: boolean) =>
      isComplete ? `${accounts} conta(s)` : `${accounts} conta(s), continua`,
    allAccounts: "todas as contas",
    errors: {
      timeout: () => "não respondeu em 5 s",
      unreachable: () => "sem conexão",
      private_address: () => "o nome leva a uma rede interna",
      redirect: () => "mandou para outro endereço, o que não seguimos",
      status: (status: number | null) => `respondeu ${status ?? "um erro"}`,
      mail_refused: () => "o servidor de e-mail recusou",
      no_mail: () => "não há servidor de e-mail, ou a conta não tem pessoa",
      unreadable: () => "o endereço guardado não abre",
    } satisfies Record<DeliveryErrorCode, (status: number | null) => string> as Record<
      DeliveryErrorCode,
      (status: number | null) => string
    >,
  },
};
