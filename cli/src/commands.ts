/** Every command, in the order of the help. */

import type { Command } from "./command.ts";
import { accountCreate } from "./commands/cluster/account-create.ts";
import { accountList } from "./commands/cluster/account-list.ts";
import { hostAdd } from "./commands/cluster/host-add.ts";
import { hostList } from "./commands/cluster/host-list.ts";
import { keyCreate } from "./commands/cluster/key-create.ts";
import { clusterLogin } from "./commands/cluster/login.ts";
import { accountLogin } from "./commands/account/login.ts";
import { projectList } from "./commands/project/list.ts";
import { projectLogs } from "./commands/project/logs.ts";
import { projectOpen } from "./commands/project/open.ts";
import { projectRestart } from "./commands/project/restart.ts";
import { projectStart } from "./commands/project/start.ts";
import { projectStatus } from "./commands/project/status.ts";
import { projectStop } from "./commands/project/stop.ts";
import { projectUp } from "./commands/project/up.ts";

export const commands: readonly Command[] = [
  accountLogin,
  projectUp,
  projectList,
  projectStatus,
  projectLogs,
  projectStart,
  projectStop,
  projectRestart,
  projectOpen,
  clusterLogin,
  hostAdd,
  hostList,
  accountCreate,
  accountList,
  keyCreate,
];
