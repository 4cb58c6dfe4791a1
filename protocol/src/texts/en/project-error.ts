/** What each error code of a project means, in English. */

import type { ProjectErrorCode } from "../../nouns/project.ts";

export const projectError: Record<ProjectErrorCode, string> = {
  install_failed:
    "The install ended with an error. See the install logs, correct it and upload the code again.",
  install_timeout:
    "The install took longer than 5 minutes and was cut short. Reduce the dependencies or the build and upload again.",
  install_out_of_memory:
    "The install used more than 1 GB of memory. Reduce the build or upload the files already built.",
  install_interrupted: "A fault on our side interrupted the install. Upload the code again.",
  start_failed: "The start command did not come up. Check command and entry, and see the application logs.",
  system_packages_failed:
    "The system packages could not be installed. Check systemPackages and upload again.",
  process_exited:
    "The process crashed, and the Free plan does not restart it. See the application logs and start it again.",
  crash_loop:
    "The process crashed 5 times in a row and is not restarted any more. See the application logs, correct it and start it again.",
};
