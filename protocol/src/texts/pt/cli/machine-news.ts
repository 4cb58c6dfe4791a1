/** Texts of what programs report of their machine as they start, by the codes of `machine/machine-news.ts`. */

import type { HardenedSetting, MachineNewsTexts } from "../../../machine/machine-news.ts";

const fetched = {
  haproxy: "o HAProxy",
  nginx: "o nginx",
  system_tools: "as ferramentas do sistema",
  wireguard: "o WireGuard",
};

const lax: Record<HardenedSetting, string> = {
  "kernel.unprivileged_userns_clone": "Qualquer usuário da máquina pode criar namespaces de usuário",
  "kernel.unprivileged_bpf_disabled": "Qualquer usuário da máquina pode carregar programas BPF",
  "vm.unprivileged_userfaultfd": "Qualquer usuário da máquina pode segurar o kernel com userfaultfd",
  "kernel.io_uring_disabled": "Qualquer usuário da máquina pode usar io_uring",
  "kernel.dmesg_restrict": "Qualquer usuário da máquina pode ler o log do kernel",
  "kernel.kptr_restrict": "O kernel mostra os endereços dele",
  "kernel.perf_event_paranoid": "Qualquer usuário da máquina pode rastrear o kernel",
  "kernel.yama.ptrace_scope": "Processos de um usuário podem ler a memória uns dos outros",
};

export const machineNews: MachineNewsTexts = {
  fetching: ({ what }) => `Trazendo ${fetched[what]} do Debian`,
  disks_limited: () => "O kernel limita os discos dos projetos",
  forwarding_on: () => "net.ipv4.ip_forward foi ligado",
  forwarding_let_through: () =>
    "Outro programa descarta o que esta máquina encaminha; o que é dos projetos passa",
  shared_limit_raised: ({ setting }) =>
    `Aumentado um limite do kernel que é de todos os projetos: ${setting}`,
  wireguard_in_user_space: () => "O kernel não tem WireGuard: o wireguard-go faz o trabalho",
  lax_setting: ({ setting, value }) => `${lax[setting]} (${setting} é ${value}).`,
  machine_swaps: () => "A máquina usa swap, e um projeto que gasta memória demais pode deixar todos lentos.",
  low_oom_floor: () =>
    "Um projeto pode baixar o oom_score_adj dele ao dos programas da máquina, que podem morrer no lugar dele quando a memória acaba: falta CAP_SYS_RESOURCE ao agente.",
  haproxy_missing: ({ canFetch }) =>
    `O HAProxy 3.0 ou mais novo não está no PATH. O Debian 13 o tem: apt-get install haproxy.${canFetch ? " Ou rode como root com o mmdebstrap instalado, que o traz." : ""}`,
};
