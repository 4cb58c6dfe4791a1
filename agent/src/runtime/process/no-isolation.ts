/** What the `process` runtime says of itself, so that nobody takes it for a host. */

import type { ProjectSettings } from "@tijolo/protocol";

/** For the operator, at every start of the agent. */
export const isolationWarning =
  "NO ISOLATION: projects run as processes of this very user (TIJOLO_RUNTIME=process). They can read and change all that it can, without limits of memory, CPU or disk. For development only: run nobody else's code.";

/** Before the operating system, where operators see what a host is. */
export const hostPrefix = "NO ISOLATION (process runtime), ";

/** For the project's owner, at each install. */
export function installNotices({
  language,
  systemPackages,
}: Pick<ProjectSettings, "language" | "systemPackages">): string[] {
  const lines = [
    "ATENÇÃO: esta máquina roda os projetos sem isolamento e sem limites (TIJOLO_RUNTIME=process), só para desenvolvimento. O código roda como o usuário dela.",
  ];
  if (language !== "static") {
    lines.push(
      `O ${language} usado é o que está instalado na máquina, na versão que ela tiver. Um site recebe em PORT uma porta livre de 127.0.0.1.`,
    );
  }
  if (systemPackages.length > 0) {
    lines.push(`Pacotes do sistema não são instalados: a máquina precisa ter ${systemPackages.join(", ")}.`);
  }
  return lines;
}
