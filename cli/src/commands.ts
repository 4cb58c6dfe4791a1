/** Lists every command, in the groups and the order of the help. */

import type { Command } from "./command.ts";
import { accountActivity } from "./commands/account/activity.ts";
import { keyCreate as accountKeyCreate } from "./commands/account/key-create.ts";
import { keyList } from "./commands/account/key-list.ts";
import { keyRevoke } from "./commands/account/key-revoke.ts";
import { accountLogin } from "./commands/account/login.ts";
import { confirm } from "./commands/account/confirm.ts";
import { notMe } from "./commands/account/not-me.ts";
import { passwordForgot } from "./commands/account/password-forgot.ts";
import { passwordReset } from "./commands/account/password-reset.ts";
import { accountShow } from "./commands/account/show.ts";
import { signUp } from "./commands/account/sign-up.ts";
import { accountBetaEnding } from "./commands/cluster/account-beta-ending.ts";
import { accountCreate } from "./commands/cluster/account-create.ts";
import { accountEndTwoFactor } from "./commands/cluster/account-end-two-factor.ts";
import { accountList } from "./commands/cluster/account-list.ts";
import { accountPlan } from "./commands/cluster/account-plan.ts";
import { accountResetPassword } from "./commands/cluster/account-reset-password.ts";
import { accountResume } from "./commands/cluster/account-resume.ts";
import { accountSuspend } from "./commands/cluster/account-suspend.ts";
import { clusterAnnounce } from "./commands/cluster/announce.ts";
import { clusterAnnouncements } from "./commands/cluster/announcements.ts";
import { clusterAudit } from "./commands/cluster/audit.ts";
import { gatewayAdd } from "./commands/cluster/gateway/add.ts";
import { gatewayList } from "./commands/cluster/gateway/list.ts";
import { gatewayRemove } from "./commands/cluster/gateway/remove.ts";
import { hostAdd } from "./commands/cluster/host/add.ts";
import { hostList } from "./commands/cluster/host/list.ts";
import { hostRevoke } from "./commands/cluster/host/revoke.ts";
import { hostSet } from "./commands/cluster/host/set.ts";
import { hostShow } from "./commands/cluster/host/show.ts";
import { imageList } from "./commands/cluster/image/list.ts";
import { imagePrune } from "./commands/cluster/image/prune.ts";
import { imagePull } from "./commands/cluster/image/pull.ts";
import { imageSet } from "./commands/cluster/image/set.ts";
import { imageUnset } from "./commands/cluster/image/unset.ts";
import { clusterInvite } from "./commands/cluster/invite.ts";
import { keyCreate } from "./commands/cluster/key-create.ts";
import { clusterLogin } from "./commands/cluster/login.ts";
import { doctor } from "./commands/doctor.ts";
import { clusterAuthority } from "./commands/cluster/authority.ts";
import { certificateList } from "./commands/cluster/certificate/list.ts";
import { certificateRemove } from "./commands/cluster/certificate/remove.ts";
import { certificateSet } from "./commands/cluster/certificate/set.ts";
import { masterKeyForgetVariables } from "./commands/cluster/master-key-forget-variables.ts";
import { masterKeyRotate } from "./commands/cluster/master-key-rotate.ts";
import { masterKeyStatus } from "./commands/cluster/master-key-status.ts";
import { operatorAdd } from "./commands/cluster/operator/add.ts";
import { operatorLink } from "./commands/cluster/operator/link.ts";
import { operatorList } from "./commands/cluster/operator/list.ts";
import { operatorRevoke } from "./commands/cluster/operator/revoke.ts";
import { orphanAdopt } from "./commands/cluster/orphan/adopt.ts";
import { orphanList } from "./commands/cluster/orphan/list.ts";
import { orphanRemove } from "./commands/cluster/orphan/remove.ts";
import { clusterPlans } from "./commands/cluster/plans.ts";
import { projectDelete as operatorProjectDelete } from "./commands/cluster/project-delete.ts";
import { configGet } from "./commands/config/get.ts";
import { configSet } from "./commands/config/set.ts";
import { domainAdd } from "./commands/domains/add.ts";
import { domainCertificate } from "./commands/domains/certificate.ts";
import { domainList } from "./commands/domains/list.ts";
import { domainRemove } from "./commands/domains/remove.ts";
import { domainVerify } from "./commands/domains/verify.ts";
import { environmentList } from "./commands/environment/list.ts";
import { environmentPull } from "./commands/environment/pull.ts";
import { environmentPush } from "./commands/environment/push.ts";
import { environmentSet } from "./commands/environment/set.ts";
import { environmentUnset } from "./commands/environment/unset.ts";
import { noticeChannelsSet } from "./commands/notices/channels-set.ts";
import { noticeChannelsTest } from "./commands/notices/channels-test.ts";
import { noticeChannelsShow } from "./commands/notices/channels.ts";
import { noticeList } from "./commands/notices/list.ts";
import { noticeRead } from "./commands/notices/read.ts";
import { projectAnalytics } from "./commands/project/analytics.ts";
import { projectDelete } from "./commands/project/delete.ts";
import { projectEvents } from "./commands/project/events.ts";
import { projectList } from "./commands/project/list.ts";
import { projectLogs } from "./commands/project/logs.ts";
import { projectMetrics } from "./commands/project/metrics.ts";
import { projectOpen } from "./commands/project/open.ts";
import { projectSite } from "./commands/project/site.ts";
import { projectRestart } from "./commands/project/restart.ts";
import { projectRollback } from "./commands/project/rollback.ts";
import { projectStart } from "./commands/project/start.ts";
import { projectStatus } from "./commands/project/status.ts";
import { projectStop } from "./commands/project/stop.ts";
import { projectUp } from "./commands/project/up.ts";
import { versionDownload } from "./commands/project/version-download.ts";
import { projectVersions } from "./commands/project/versions.ts";
import { replacedList } from "./commands/replaced/list.ts";
import { replacedRestore } from "./commands/replaced/restore.ts";
import { sitePageList } from "./commands/site-pages/list.ts";
import { sitePageRemove } from "./commands/site-pages/remove.ts";
import { sitePageSet } from "./commands/site-pages/set.ts";
import { sitePageShow } from "./commands/site-pages/show.ts";
import type { Messages } from "./messages.ts";

const projects: readonly Command[] = [
  projectUp,
  projectList,
  projectStatus,
  projectLogs,
  projectMetrics,
  projectAnalytics,
  projectEvents,
  projectVersions,
  versionDownload,
  projectRollback,
  replacedList,
  replacedRestore,
  projectStart,
  projectStop,
  projectRestart,
  projectOpen,
  projectSite,
  sitePageList,
  sitePageSet,
  sitePageShow,
  sitePageRemove,
  projectDelete,
];

const settings: readonly Command[] = [
  environmentList,
  environmentSet,
  environmentUnset,
  environmentPull,
  environmentPush,
  configGet,
  configSet,
  domainList,
  domainAdd,
  domainVerify,
  domainRemove,
  domainCertificate,
];

const account: readonly Command[] = [
  accountLogin,
  signUp,
  confirm,
  accountShow,
  accountActivity,
  noticeList,
  noticeRead,
  noticeChannelsShow,
  noticeChannelsSet,
  noticeChannelsTest,
  keyList,
  accountKeyCreate,
  keyRevoke,
  passwordForgot,
  passwordReset,
  notMe,
];

const operator: readonly Command[] = [
  clusterLogin,
  hostAdd,
  hostList,
  hostShow,
  hostSet,
  hostRevoke,
  gatewayAdd,
  gatewayList,
  gatewayRemove,
  operatorProjectDelete,
  orphanList,
  orphanAdopt,
  orphanRemove,
  imageList,
  imagePull,
  imagePrune,
  imageSet,
  imageUnset,
  clusterPlans,
  clusterInvite,
  accountCreate,
  accountList,
  accountPlan,
  accountSuspend,
  accountResume,
  accountBetaEnding,
  accountResetPassword,
  accountEndTwoFactor,
  keyCreate,
  masterKeyStatus,
  masterKeyRotate,
  masterKeyForgetVariables,
  clusterAuthority,
  certificateList,
  certificateSet,
  certificateRemove,
  doctor,
  operatorAdd,
  operatorLink,
  operatorList,
  operatorRevoke,
  clusterAudit,
  clusterAnnounce,
  clusterAnnouncements,
];

export const commandGroups: Record<keyof Messages["help"]["groups"], readonly Command[]> = {
  projects,
  settings,
  account,
  operator,
};

export const commands: readonly Command[] = Object.values(commandGroups).flat();
