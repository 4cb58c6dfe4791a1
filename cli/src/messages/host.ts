/** Texts of `tijolo cluster host show` and `tijolo cluster host revoke`. */

import type { HostMachine } from "@tijolo/protocol";

const pt = {
  commands: {
    "cluster host show":
      "Mostra uma máquina: capacidade, o que a isola, e o uso e os limites de cada projeto",
    "cluster host set": "Diz quanta memória de uma máquina conta para os projetos",
    "cluster host revoke": "Tira uma máquina do cluster, na hora e para sempre",
  },
  options: {
    hostMemory:
      "o máximo de memória da máquina que conta, em MB, diga ela o que disser (padrão: o que ela diz ao entrar)",
  },
  texts: {
    whichHost: (names: string) => `Há mais de uma máquina; diga qual: ${names}`,
    machine: "a máquina (id ou nome)",
    sureToRevoke: (name: string, projects: number) =>
      `Revogar ${name}? Ela sai do cluster na hora e para sempre, e a central deixa de alcançar os projetos dela (${projects}).`,
    wouldRevoke: (name: string, projects: number) =>
      `Isto tiraria ${name} do cluster para sempre, e a central deixaria de alcançar os projetos dela (${projects}). Confirme com --yes.`,
    revoked: (name: string) =>
      `${name} foi revogada: a conexão foi cortada, e com a chave que tem ela não volta.`,
    stranded:
      "A central não alcança mais estes projetos: não os inicia, não os para, não recebe código novo deles, e os sites estão fora do ar. Não mudam de máquina sozinhos e contam no plano até serem apagados: o dono os apaga (tijolo delete) e envia de novo (tijolo up).",
    runsOn:
      "O que roda nela roda até você desligar a máquina. Se ela foi invadida, troque os segredos das variáveis destes projetos.",
    fields: {
      agent: "Agente",
      kernel: "Kernel",
      cpu: "Processador",
      disk: "Disco",
      projectDisks: "Discos dos projetos",
      cgroups: "cgroups",
      io: "Limites de disco (E/S)",
      isolation: "Isolamento",
    },
    cpu: (cores: number) => `${cores} ${cores === 1 ? "núcleo" : "núcleos"}`,
    cpuNow: (percent: string) => `${percent}% em uso agora`,
    memory: (total: string, reserved: string, free: string, kept: string) =>
      `${total}: ${reserved} reservados a projetos, ${free} livres para outros, ${kept} da própria máquina`,
    memoryNow: (used: string) => `${used} em uso agora`,
    says: (memoryMb: string) => `diz ter ${memoryMb}`,
    saysMore: (claimed: string) =>
      `a máquina diz ter ${claimed}, que só contam se você aceitar: tijolo cluster host set`,
    memorySet: (name: string, memoryMb: string) =>
      `De ${name} contam agora no máximo ${memoryMb} MB de memória.`,
    disk: (total: string, free: string, promised: string) =>
      `${total}: ${free} livres; prometidos aos projetos: ${promised}`,
    projectDisks: {
      "xfs-quota": "cota de projeto do XFS",
      "ext4-quota": "cota de projeto do ext4",
      image: "uma imagem ext4 para cada projeto",
      plain: "SEM LIMITE (ambiente de desenvolvimento)",
    } satisfies Record<HostMachine["disks"], string>,
    noCgroups: "nenhum: memória, processador e processos SEM LIMITE",
    io: {
      all: "valem para leitura e para toda gravação",
      direct:
        "valem para leitura e gravação direta; o que passa pela memória do kernel é gravado depois, sem teto (cgroups v1)",
      none: "NÃO VALEM nesta máquina",
    } satisfies Record<HostMachine["io"], string>,
    isolation: {
      nspawn: "contêineres (systemd-nspawn)",
      process: "NENHUM: os projetos são processos do usuário do agente",
      simulated: "NENHUM: máquina simulada",
    } satisfies Record<HostMachine["runtime"], string>,
    userNamespaces: {
      filtered: "user namespaces recusados pelo filtro seccomp, testado neste kernel a cada início do agente",
      allowed: "user namespaces não são recusados",
    } satisfies Record<HostMachine["userNamespaces"], string>,
    away: "A máquina não respondeu: aqui está só o que a central sabe. Veja se o agente roda e alcança a central.",
    olderAgent: "O agente desta máquina é mais antigo e não informa limites. Atualize-o para vê-los.",
    noProjects: "Nenhum projeto nesta máquina.",
    columns: {
      project: "Projeto",
      account: "Conta (plano)",
      memory: "Memória (MB)",
      cpu: "CPU (%)",
      weight: "Peso",
      pids: "Processos",
      openFiles: "Arquivos abertos",
      io: "E/S",
      disk: "Disco (MB)",
    },
    legend:
      "Uso/limite, como o kernel os tem. CPU: 100 é um núcleo; o peso decide quando falta processador. Arquivos abertos: por processo. E/S: teto de leitura e outro igual de gravação.",
    reserved: (memoryMb: number) => `(${memoryMb} reservados)`,
    readOnly: "só leitura",
    perSecond: (bytes: string, operations: string) => `${bytes}/s, ${operations} op/s`,
  },
};

const en: typeof pt = {
  commands: {
    "cluster host show":
      "Shows a machine: its capacity, what isolates it, and each project's usage and limits",
    "cluster host set": "Says how much of a machine's memory counts for projects",
    "cluster host revoke": "Takes a machine out of the cluster, at once and for good",
  },
  options: {
    hostMemory:
      "the most memory of the machine that counts, in MB, whatever it says (default: what it says when it joins)",
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

export const host = { pt, en };
