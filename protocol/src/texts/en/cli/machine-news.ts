/** Texts of what programs report of their machine as they start, by the codes of `machine/machine-news.ts`. */

import type { HardenedSetting, MachineNewsTexts } from "../../../machine/machine-news.ts";

const fetched = { haproxy: "HAProxy", nginx: "nginx", system_tools: "system tools", wireguard: "WireGuard" };

const lax: Record<HardenedSetting, string> = {
  "kernel.unprivileged_userns_clone": "Every user of the machine can make user namespaces",
  "kernel.unprivileged_bpf_disabled": "Every user of the machine can load BPF programs",
  "vm.unprivileged_userfaultfd": "Every user of the machine can hold up the kernel with userfaultfd",
  "kernel.io_uring_disabled": "Every user of the machine can use io_uring",
  "kernel.dmesg_restrict": "Every user of the machine can read the kernel's log",
  "kernel.kptr_restrict": "The kernel shows its addresses",
  "kernel.perf_event_paranoid": "Every user of the machine can trace the kernel",
  "kernel.yama.ptrace_scope": "Processes of one user can read each other's memory",
};

export const machineNews: MachineNewsTexts = {
  fetching: ({ what }) => `Fetching ${fetched[what]} from Debian`,
  disks_limited: () => "The kernel limits the projects' disks",
  forwarding_on: () => "net.ipv4.ip_forward was turned on",
  forwarding_let_through: () =>
    "Another program drops what this machine forwards; what is the projects' passes",
  shared_limit_raised: ({ setting }) =>
    `A limit of the kernel that all projects share was raised: ${setting}`,
  wireguard_in_user_space: () => "The kernel has no WireGuard: wireguard-go takes its place",
  lax_setting: ({ setting, value }) => `${lax[setting]} (${setting} is ${value}).`,
  machine_swaps: () => "The machine swaps, and a memory hog can slow every project down.",
  low_oom_floor: () =>
    "A project can lower its oom_score_adj to that of the host's own programs, so that these may be killed in its place when memory runs out: the agent has no CAP_SYS_RESOURCE.",
  haproxy_missing: ({ canFetch }) =>
    `HAProxy 3.0 or newer is not in PATH. Debian 13 has it: apt-get install haproxy.${canFetch ? " Or run as root with mmdebstrap, which fetches it." : ""}`,
};
