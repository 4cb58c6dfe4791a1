/** Holds the texts of `tijolo cluster host show` and `tijolo cluster host revoke`. */

import type { HostMachine } from "../../../nouns/cluster/host-view.ts";

export const host = {
  commands: {
    "cluster host show":
      "Mostra uma máquina: capacidade, o que a isola, e o uso e os limites de cada projeto",
    "cluster host set": "Diz quanta memória de uma máquina conta para os projetos",
    "cluster host revoke": "Tira uma máquina do cluster, na hora e para sempre",
  },
  options: {
    hostMemory:
      "o máximo de memória da máquina que conta, em MB, diga ela o que disser (padrão: o que ela diz ao entrar)",
    hardware: "mostra também o hardware; a máquina olha na hora",
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
      mesh: "Rede entre máquinas",
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
    mesh: {
      member: (_other: string) => "alcança os projetos das outras máquinas",
      clash: (other: string) =>
        `NÃO é alcançada pelas outras: ${other} já tem estes endereços; reiniciar o agente desta máquina dá outros a ela`,
      none: (_other: string) =>
        "não é alcançada pelas outras: o agente é mais antigo, ou a rede dele não é de TIJOLO_CLUSTER_CIDR",
    },
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
    hardware: {
      title: "Hardware",
      system: "Computador",
      virtual: "virtual",
      processor: "Processador",
      cores: (cores: number, threads: number) => `${cores} núcleos, ${threads} processadores lógicos`,
      memory: "Memória",
      disk: "Disco",
      network: "Rede",
      up: "ligada",
      down: "desligada",
      graphics: "Vídeo",
    },
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
