/** What a host says of an install, in English. */

import type { installMessages } from "../../project/install-messages.ts";
import type { MessageTexts } from "../../project/owner-message.ts";

export const install: MessageTexts<typeof installMessages> = {
  upload_gone: () => "The uploaded file is no longer in the service.",
  upload_not_extracted: () => "The uploaded file could not be extracted.",
  upload_on_damaged_disk: () =>
    "The project's disk is damaged: talk to the service's team before you upload again.",
  project_disk_full: ({ usedMb, limitMb, full }) => {
    const figures = limitMb === null ? "" : ` (${usedMb} MB of ${limitMb} MB used)`;
    if (full === "files")
      return `The project has too many files: the disk takes no more${figures}. Delete files or change the plan.`;
    if (full === "bytes") return `The project's disk is full${figures}. Delete files or change the plan.`;
    return `It did not fit on the project's disk${figures}. Delete files, upload a smaller .zip or change the plan.`;
  },
  host_disk_full: () => "The server has no disk space left. The service's team has to free some.",
  system_packages_unavailable: ({ packages, reason }) =>
    `The system packages ${new Intl.ListFormat("en").format(packages)} could not be installed: ${reason}. Wait a few minutes and upload the code again, or remove what you do not use from systemPackages.`,
  nothing_to_install: () => "Nothing to install.",
  image_in_preparation: ({ language, version, hasSystemPackages }) =>
    `Preparing ${language} ${version}${hasSystemPackages ? " with the system packages" : ""} on this server. Only the first time takes long: from seconds to a few minutes.`,
  install_reused: () => "The dependencies are the same as before: the cached install was used.",
  version_still_here: ({ version }) =>
    `The files of version ${version} are still here, installed: they are used again.`,
  install_repeated_with_home: () =>
    "The install also writes outside the project's folder: it is made again, in the project's home directory.",
  install_done: ({ seconds }) => `Install finished in ${seconds.toFixed(1)} s.`,
  install_failed_after: ({ seconds }) => `The install failed after ${seconds.toFixed(1)} s.`,
  built_folder_chosen: ({ folder }) => `The site is the folder ${folder}, which the build has made.`,
  built_site_missing: ({ folders }) =>
    `The build has ended, but made none of these folders with an index.html: ${folders.join(", ")}. Name the folder that it makes in root.`,
  built_folder_missing: ({ folder }) =>
    `The build has ended, but did not make the folder ${folder} (root), or left it empty. Check which folder it writes to, and name it in root.`,
  built_site_too_large: () =>
    "The build has made too many files for a site, or folders that are too deep. Check what it writes to the served folder.",
  pipfile_ignored: () =>
    "A Pipfile is not read: upload a requirements.txt (pipenv requirements > requirements.txt).",
  version_as_wanted: ({ language, version, file, wanted }) =>
    `Uses ${language} ${version}, as ${file} asks for: ${wanted}.`,
  version_not_wanted: ({ language, version, file, wanted, versions }) =>
    `${file} asks for ${wanted}, but the project uses ${language} ${version}. The versions are ${new Intl.ListFormat("en").format(versions)}: to use another, put version into the svc.json.`,
  no_isolation: () =>
    "WARNING: this machine runs projects without isolation and without limits (TIJOLO_RUNTIME=process), for development only. The code runs as the machine's user.",
  language_of_machine: ({ language }) =>
    `The ${language} in use is the one installed on the machine, in whatever version it has. A site receives in PORT a free port of 127.0.0.1.`,
  system_packages_of_machine: ({ packages }) =>
    `System packages are not installed: the machine has to have ${packages.join(", ")}.`,
  language_not_on_machine: ({ language, programs }) =>
    `This machine does not have the program ${programs.join(" or ")}. Without containers (TIJOLO_RUNTIME=process), the project runs with what is installed on it: install ${language} and start again.`,
  site_port_on_machine: ({ port, taken }) =>
    `The site has to listen on 127.0.0.1, on the port of the variable PORT: ${port}${taken === null ? "" : ` (port ${taken} is in use on this machine, or not allowed)`}.`,
};
