/** Puts the areas' texts together: commands and options in one table each, the others by area. */

import { cliTexts } from "@tijolo/protocol/texts/cli";

export const languages = ["pt", "en"] as const;

export type MessageLanguage = (typeof languages)[number];

export type Messages = Awaited<ReturnType<typeof loadMessages>>;

export async function loadMessages(language: MessageLanguage) {
  const { shared, errors, start, install, machineNews, ...areas } = await cliTexts[language]();
  const {
    account,
    project,
    deploy,
    settings,
    cluster,
    gateway,
    host,
    operator,
    orphan,
    image,
    masterKey,
    certificate,
    doctor,
    notice,
    domain,
  } = areas;
  return {
    commands: {
      ...account.commands,
      ...project.commands,
      ...settings.commands,
      ...domain.commands,
      ...cluster.commands,
      ...gateway.commands,
      ...host.commands,
      ...operator.commands,
      ...orphan.commands,
      ...image.commands,
      ...masterKey.commands,
      ...certificate.commands,
      ...doctor.commands,
      ...notice.commands,
    },
    options: {
      ...shared.options,
      ...account.options,
      ...project.options,
      ...settings.options,
      ...domain.options,
      ...cluster.options,
      ...gateway.options,
      ...host.options,
      ...operator.options,
      ...orphan.options,
      ...image.options,
      ...certificate.options,
      ...notice.options,
    },
    ...shared.texts,
    ...errors,
    account: account.texts,
    project: project.texts,
    deploy: deploy.texts,
    settings: settings.texts,
    cluster: cluster.texts,
    gateway: gateway.texts,
    host: host.texts,
    operator: operator.texts,
    orphan: orphan.texts,
    image: image.texts,
    masterKey: masterKey.texts,
    certificate: certificate.texts,
    doctor: doctor.texts,
    notice: notice.texts,
    domain: domain.texts,
    start,
    install,
    machineNews,
  };
}
