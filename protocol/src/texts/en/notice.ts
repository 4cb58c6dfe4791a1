/** Texts of notices, in English. */

import type { DomainEndReason } from "../../nouns/domain.ts";
import type { LimitedResource, NoticeChannelName, NoticeTexts } from "../../nouns/notice-content.ts";

const resources: Record<LimitedResource, string> = { memory: "memory", disk: "disk" };
const channels: Record<NoticeChannelName, string> = {
  email: "e-mail",
  discord: "Discord",
  webhook: "webhook",
};

const domainEnds: Record<DomainEndReason, string> = {
  not_proven: "DNS was not ready within 7 days, and it is no longer checked.",
  proof_gone: "the proof was missing in DNS for 30 days.",
  taken_over: "another account proved that the domain is its own, and your proof is no longer in DNS.",
};

export const notice: NoticeTexts = {
  out_of_memory: {
    title: ({ project }) => `${project.name} ran out of memory`,
    message: ({ memoryMb }) =>
      `The project went over ${memoryMb} MB and was ended. Raise memoryMb, or see in the metrics what grows.`,
  },
  crash_loop: {
    title: ({ project }) => `${project.name} stopped after 5 crashes in a row`,
    message: ({ exitCode }) =>
      `It is not restarted any more.${exitCode === null ? "" : ` The last exit code: ${exitCode}.`} See the application logs, correct it and start it again.`,
  },
  install_failed: {
    title: ({ project, versionNumber }) => `Version ${versionNumber} of ${project.name} was not installed`,
    message: ({ servingVersion }, reason) => `${reason}${goesOn(servingVersion)}`,
  },
  start_failed: {
    title: ({ project, versionNumber }) => `Version ${versionNumber} of ${project.name} did not come up`,
    message: ({ servingVersion }, reason) => `${reason}${goesOn(servingVersion)}`,
  },
  limit: {
    title: ({ project, resource, percent }) =>
      `${project.name} uses ${percent} % of its ${resources[resource]}`,
    message: ({ resource, percent, limitMb }) =>
      resource === "memory"
        ? `The limit is ${limitMb} MB. ${percent === 100 ? "What goes over it is ended." : "Over it the process is ended."} Raise memoryMb if this use is expected.`
        : `The limit is ${limitMb} MB. ${percent === 100 ? "Nothing more can be written." : "When the disk is full, nothing more can be written."} Delete what is not needed, or change the plan.`,
  },
  domain_proof_gone: {
    title: ({ project }) => `A domain of ${project.name} lost its proof in DNS`,
    message: ({ hostname, since }) =>
      `Since ${since} the record that proves that ${hostname} is yours is not in DNS. Its certificate is not renewed, and after 30 days the site stops answering under it. Create the record again, or remove the domain.`,
  },
  certificate_ending: {
    title: () => "A certificate is about to end",
    message: ({ names, endsAt }) =>
      `The certificate of ${names} is good until ${endsAt}, and there is no other yet. The operator sees why with tijolo cluster certificate list.`,
  },
  domain_failed: {
    title: ({ project }) => `A domain of ${project.name} is not active`,
    message: ({ hostname, reason }) =>
      `The domain ${hostname} is not active: ${domainEnds[reason]} See what is missing under Domains.`,
  },
  host_maintenance: {
    title: ({ text }) =>
      text === null
        ? "The server of your projects does not answer"
        : "Maintenance of the server of your projects",
    message: ({ text, since, projects }) =>
      text ??
      `Since ${since ?? "?"} there has been no sign of the server of ${projects} of your projects. What ran may go on, but takes no commands until the server is back.`,
  },
  announcement: { title: () => "Announcement of the service", message: ({ text }) => text },
  channel_failing: {
    title: ({ channel }) => `Notices by ${channels[channel]} do not arrive`,
    message: ({ channel, since }) =>
      `Since ${since} nothing that was sent by ${channels[channel]} has arrived. Check the channel with tijolo notices channels.`,
  },
  test: {
    title: () => "Test notice",
    message: () => "If you can read this, notices arrive through this channel.",
  },
};

function goesOn(servingVersion: number | null): string {
  return servingVersion === null ? "" : ` Version ${servingVersion} goes on.`;
}
