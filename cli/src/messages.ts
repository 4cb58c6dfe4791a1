/** Every text that the command says, in Portuguese and in English; one file per area in `messages/`. */

import { account } from "./messages/account.ts";
import { cluster } from "./messages/cluster.ts";
import { errors } from "./messages/errors.ts";
import { host } from "./messages/host.ts";
import { image } from "./messages/image.ts";
import { masterKey } from "./messages/master-key.ts";
import { operator } from "./messages/operator.ts";
import { orphan } from "./messages/orphan.ts";
import { project } from "./messages/project.ts";
import { settings } from "./messages/settings.ts";
import { shared } from "./messages/shared.ts";
import { start } from "./messages/start.ts";

export const languages = ["pt", "en"] as const;

export type MessageLanguage = (typeof languages)[number];

/** An area adds its commands and options to those of all, and keeps its texts under its own name. */
export const areas = [account, project, settings, cluster, host, operator, orphan, image, masterKey];

export type Messages = ReturnType<typeof textsIn>;

export const messagesOf: Record<MessageLanguage, Messages> = { pt: textsIn("pt"), en: textsIn("en") };

function textsIn(language: MessageLanguage) {
  const of = {
    shared: shared[language],
    account: account[language],
    project: project[language],
    settings: settings[language],
    cluster: cluster[language],
    host: host[language],
    operator: operator[language],
    orphan: orphan[language],
    image: image[language],
    masterKey: masterKey[language],
  };
  return {
    commands: {
      ...of.account.commands,
      ...of.project.commands,
      ...of.settings.commands,
      ...of.cluster.commands,
      ...of.host.commands,
      ...of.operator.commands,
      ...of.orphan.commands,
      ...of.image.commands,
      ...of.masterKey.commands,
    },
    options: {
      ...of.shared.options,
      ...of.account.options,
      ...of.project.options,
      ...of.settings.options,
      ...of.cluster.options,
      ...of.host.options,
      ...of.operator.options,
      ...of.orphan.options,
      ...of.image.options,
    },
    ...of.shared.texts,
    ...errors[language],
    account: of.account.texts,
    project: of.project.texts,
    settings: of.settings.texts,
    cluster: of.cluster.texts,
    host: of.host.texts,
    operator: of.operator.texts,
    orphan: of.orphan.texts,
    image: of.image.texts,
    masterKey: of.masterKey.texts,
    start: start[language],
  };
}
