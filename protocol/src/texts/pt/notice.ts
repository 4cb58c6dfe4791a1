/** Texts of notices, in Portuguese. */

import type { DomainEndReason } from "../../nouns/domain.ts";
import type { LimitedResource, NoticeChannelName, NoticeTexts } from "../../nouns/notice-content.ts";

const resources: Record<LimitedResource, string> = { memory: "memória", disk: "disco" };
const channels: Record<NoticeChannelName, string> = {
  email: "e-mail",
  discord: "Discord",
  webhook: "webhook",
};

const domainEnds: Record<DomainEndReason, string> = {
  not_proven: "em 7 dias o DNS não ficou pronto, e deixamos de conferir.",
  proof_gone: "a prova faltou no DNS por 30 dias.",
  taken_over: "outra conta provou que o domínio é dela, e a sua prova não está mais no DNS.",
};

export const notice: NoticeTexts = {
  out_of_memory: {
    title: ({ project }) => `${project.name} ficou sem memória`,
    message: ({ memoryMb }) =>
      `O projeto passou de ${memoryMb} MB e foi encerrado. Aumente memoryMb, ou veja nas métricas o que cresce.`,
  },
  crash_loop: {
    title: ({ project }) => `${project.name} parou depois de 5 quedas seguidas`,
    message: ({ exitCode }) =>
      `Ele não reinicia mais sozinho.${exitCode === null ? "" : ` Último código de saída: ${exitCode}.`} Veja os logs de Aplicação, corrija e inicie de novo.`,
  },
  install_failed: {
    title: ({ project, versionNumber }) => `A versão ${versionNumber} de ${project.name} não foi instalada`,
    message: ({ servingVersion }, reason) => `${reason}${goesOn(servingVersion)}`,
  },
  start_failed: {
    title: ({ project, versionNumber }) => `A versão ${versionNumber} de ${project.name} não subiu`,
    message: ({ servingVersion }, reason) => `${reason}${goesOn(servingVersion)}`,
  },
  limit: {
    title: ({ project, resource, percent }) => `${project.name} usa ${percent} % de ${resources[resource]}`,
    message: ({ resource, percent, limitMb }) =>
      resource === "memory"
        ? `O limite é de ${limitMb} MB. ${percent === 100 ? "O que passar dele é encerrado." : "Acima dele o processo é encerrado."} Aumente memoryMb se o uso é o esperado.`
        : `O limite é de ${limitMb} MB. ${percent === 100 ? "Nada mais pode ser gravado." : "Com o disco cheio, nada mais pode ser gravado."} Apague o que não é preciso, ou mude de plano.`,
  },
  domain_proof_gone: {
    title: ({ project }) => `Um domínio de ${project.name} perdeu a prova no DNS`,
    message: ({ hostname, since }) =>
      `Desde ${since} o registro que prova que ${hostname} é seu não aparece no DNS. O certificado dele não é renovado, e depois de 30 dias o site deixa de responder por ele. Crie o registro de novo, ou tire o domínio.`,
  },
  certificate_ending: {
    title: () => "Um certificado está para vencer",
    message: ({ names, endsAt }) =>
      `O certificado de ${names} vale até ${endsAt}, e ainda não há outro. O operador vê o motivo com tijolo cluster certificate list.`,
  },
  domain_failed: {
    title: ({ project }) => `Um domínio de ${project.name} não está ativo`,
    message: ({ hostname, reason }) =>
      `O domínio ${hostname} não está ativo: ${domainEnds[reason]} Veja o que falta em Domínios.`,
  },
  host_maintenance: {
    title: ({ text }) =>
      text === null
        ? "O servidor dos seus projetos não responde"
        : "Manutenção do servidor dos seus projetos",
    message: ({ text, since, projects }) =>
      text ??
      `Desde ${since ?? "?"} não há sinal do servidor de ${projects} ${projects === 1 ? "projeto seu" : "projetos seus"}. O que rodava pode continuar no ar, mas não aceita comandos até o servidor voltar.`,
  },
  announcement: { title: () => "Anúncio do serviço", message: ({ text }) => text },
  channel_failing: {
    title: ({ channel }) => `Os avisos por ${channels[channel]} não estão chegando`,
    message: ({ channel, since }) =>
      `Desde ${since} nenhum envio por ${channels[channel]} deu certo. Confira o canal com tijolo notices channels.`,
  },
  test: {
    title: () => "Aviso de teste",
    message: () => "Se você está lendo isto, os avisos chegam por este canal.",
  },
};

function goesOn(servingVersion: number | null): string {
  return servingVersion === null ? "" : ` A versão ${servingVersion} continua no ar.`;
}
