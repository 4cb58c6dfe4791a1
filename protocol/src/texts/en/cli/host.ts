import type { host as pt } from "../../pt/cli/host.ts";

export const host: typeof pt = {
  commands: {
    "cluster host show":
      "Shows a machine: its capacity, what isolates it, and each project's usage and limits",
    "cluster host set": "Says how much of a machine's memory counts for projects",
    "cluster host revoke": "Takes a machine out of the cluster, at once and for good",
  },
  options: {
    hostMemory:
      "the most memory of the machine that counts, in MB, whatever it says (default: what it says when it joins)",
    hardware: "shows the hardware, too; the machine looks now",
  },
  texts: {
    whichHost: (names) => `There is more than one machine; say which: ${names}`,
    machine: "the machine (id or name)",
    sureToRevoke: (name, projects) =>
      `Revoke ${name}? It leaves the cluster at once and for good, and central no longer reaches its projects (${projects}).`,
    wouldRevoke: (name, projects) =>
      `This would take ${name} out of the cluster for good, and central would no longer reach its projects (${projects}). Confirm with --yes.`,
    revoked: (name) =>
      `${name} is revoked: its connection is cut, and with the key that it has it does not come back.`,
    stranded:
      "Central no longer reaches these projects: it neither starts nor stops them, takes no new code for them, and their sites are down. They move to no other machine by themselves and count in the plan until they are deleted: their owner deletes them (tijolo delete) and uploads them anew (tijolo up).",
    runsOn:
      "What runs on it runs until you turn the machine off. If somebody broke into it, change the secrets in these projects' variables.",
    fields: {
      agent: "Agent",
      kernel: "Kernel",
      cpu: "Processor",
      disk: "Disk",
      mesh: "Mesh",
      projectDisks: "Projects' disks",
      cgroups: "cgroups",
      io: "Disk speed limits",
      isolation: "Isolation",
    },
    cpu: (cores) => `${cores} ${cores === 1 ? "core" : "cores"}`,
    cpuNow: (percent) => `${percent}% in use now`,
    memory: (total, reserved, free, kept) =>
      `${total}: ${reserved} reserved by projects, ${free} free for others, ${kept} the machine's own`,
    memoryNow: (used) => `${used} in use now`,
    says: (memoryMb) => `says ${memoryMb}`,
    saysMore: (claimed) =>
      `the machine says that it has ${claimed}, which count only if you accept it: tijolo cluster host set`,
    memorySet: (name, memoryMb) => `Of ${name}, at most ${memoryMb} MB of memory count now.`,
    disk: (total, free, promised) => `${total}: ${free} free; promised to projects: ${promised}`,
    mesh: {
      member: () => "reaches the projects of other machines",
      clash: (other) =>
        `NOT REACHED by other machines: ${other} has these addresses already; restarting this machine's agent gives it others`,
      none: () =>
        "not reached by other machines: the agent is older, or its network is not of TIJOLO_CLUSTER_CIDR",
    },
    projectDisks: {
      "xfs-quota": "XFS project quota",
      "ext4-quota": "ext4 project quota",
      image: "an ext4 image for each project",
      plain: "NO LIMIT (for development)",
    },
    noCgroups: "none: memory, processor and processes have NO LIMIT",
    io: {
      all: "hold for reading and for all writing",
      direct:
        "hold for reading and direct writing; what goes through the kernel's memory is written later, without a ceiling (cgroups v1)",
      none: "DO NOT HOLD on this machine",
    },
    isolation: {
      nspawn: "containers (systemd-nspawn)",
      process: "NONE: projects are processes of the agent's user",
      simulated: "NONE: a simulated machine",
    },
    userNamespaces: {
      filtered:
        "user namespaces refused by the seccomp filter, which is tried on this kernel at each start of the agent",
      allowed: "user namespaces are not refused",
    },
    away: "The machine did not answer: this is only what central knows. See whether its agent runs and reaches central.",
    olderAgent: "This machine's agent is older and does not tell its limits. Upgrade it to see them.",
    hardware: {
      title: "Hardware",
      system: "Computer",
      virtual: "virtual",
      processor: "Processor",
      cores: (cores, threads) => `${cores} cores, ${threads} logical processors`,
      memory: "Memory",
      disk: "Disk",
      network: "Network",
      up: "up",
      down: "down",
      graphics: "Graphics",
    },
    noProjects: "No projects on this machine.",
    columns: {
      project: "Project",
      account: "Account (plan)",
      memory: "Memory (MB)",
      cpu: "CPU (%)",
      weight: "Weight",
      pids: "Processes",
      openFiles: "Open files",
      io: "Disk speed",
      disk: "Disk (MB)",
    },
    legend:
      "Used/limit, as the kernel has them. CPU: 100 is one core; the weight decides when processors are short. Open files: of each process. Disk speed: a ceiling for reading, and the same for writing.",
    reserved: (memoryMb) => `(${memoryMb} reserved)`,
    readOnly: "read-only",
    perSecond: (bytes, operations) => `${bytes}/s, ${operations} op/s`,
  },
};
