/** Texts of `tijolo doctor`. */

export const doctor = {
  commands: { doctor: "Examina a central, o gateway e o agente instalados nesta máquina, e diz o que fazer" },
  options: {},
  texts: {
    nothingInstalled: "Nesta máquina não há central nem agente instalados (/opt/tijolo).",
    checks: {
      release: {
        name: "programas completos",
        advice: "Rode de novo o install do pacote desta versão: ele conserta.",
      },
      service: {
        name: "serviço no ar",
        advice:
          "Veja por quê: journalctl -u tijolo-central, -u tijolo-gateway ou -u tijolo-agent. Um que roda outro programa que o instalado: reinicie com systemctl.",
      },
      disk: { name: "espaço livre", advice: "Libere espaço: com o disco cheio nada novo é guardado." },
      answers: { name: "a API responde", advice: "Veja journalctl -u tijolo-central." },
      visits: {
        name: "o gateway responde aos visitantes",
        advice: "Veja journalctl -u tijolo-gateway, e quem ocupa as portas: ss -ltnp.",
      },
      certificates: {
        name: "certificados dos sites e do painel",
        advice:
          "Acaba logo, ou já acabou: tijolo cluster certificate list diz por que não foi renovado; veja se o gateway chega à central (journalctl -u tijolo-gateway).",
      },
      ownClock: {
        name: "relógio acertado pela rede",
        advice:
          "As outras máquinas seguem este relógio, e os certificados são julgados por ele: timedatectl set-ntp true.",
      },
      gatewayKey: {
        name: "chave do gateway só para root",
        advice:
          "Outros podem tê-la lido: remova o gateway (tijolo cluster gateway remove), apague /var/lib/tijolo/gateway e rode install central.",
      },
      haproxyRenewal: {
        name: "HAProxy renovado todo dia",
        advice:
          "Veja journalctl -u tijolo-haproxy: precisa do mmdebstrap e do arquivo do Debian. Os visitantes seguem atendidos pelo anterior. Sem o timer, instale de novo.",
      },
      schema: {
        name: "banco de dados desta versão",
        advice:
          "Se ele for de uma versão mais nova, instale-a de novo, ou restaure os dados da versão antiga.",
      },
      ledger: {
        name: "banco de dados desta versão",
        advice: "Se ele for de uma versão mais nova, traga-a de novo: a linha de tijolo cluster host add.",
      },
      orphans: {
        name: "nenhum projeto que só as máquinas conhecem",
        advice:
          "Veja quais, e adote ou remova cada um: tijolo cluster orphan list. Uma máquina que aparece aqui não respondeu.",
      },
      masterKeys: {
        name: "chaves mestras só para root",
        advice: "chown root:root /etc/tijolo/master-keys && chmod 600 /etc/tijolo/master-keys",
      },
      linkCertificate: {
        name: "certificado da conexão das máquinas",
        advice:
          "Ponha TIJOLO_LINK_LISTEN em /etc/tijolo/central.env e rode install central; um certificado no fim é trocado com systemctl restart tijolo-central.",
      },
      hostKey: {
        name: "chave da máquina só para root",
        advice: "Outros podem tê-la lido: revogue a máquina (tijolo cluster host revoke) e instale de novo.",
      },
      pin: {
        name: "chave dos pacotes",
        advice:
          "O pacote em uso é de outra chave que a fixada na instalação. Descubra de onde veio antes de tudo.",
      },
      cgroups: {
        name: "limites dos projetos (cgroup v2)",
        advice: "Sem eles não há limites: é o padrão do Debian; veja cgroup_disable na linha do kernel.",
      },
      filter: {
        name: "regras de rede dos projetos (nftables)",
        advice:
          "Alguém as apagou (outro firewall, flush ruleset?): systemctl restart tijolo-agent as escreve de novo; os projetos continuam.",
      },
      clock: {
        name: "relógio, e a central alcançada",
        advice: "Acerte o relógio (timedatectl set-ntp true), ou veja o que impede de chegar à central.",
      },
    },
  },
};
