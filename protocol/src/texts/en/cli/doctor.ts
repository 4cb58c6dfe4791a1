import type { doctor as pt } from "../../pt/cli/doctor.ts";

export const doctor: typeof pt = {
  commands: {
    doctor:
      "Looks at the central, the gateway and the agent that are installed on this machine, and says what to do",
  },
  options: {},
  texts: {
    nothingInstalled: "Neither central nor an agent is installed on this machine (/opt/tijolo).",
    checks: {
      release: {
        name: "programs whole",
        advice: "Run the install of this version's package again: it repairs them.",
      },
      service: {
        name: "service up",
        advice:
          "See why: journalctl -u tijolo-central, -u tijolo-gateway or -u tijolo-agent. One that runs another program than what is installed: restart it with systemctl.",
      },
      disk: { name: "free room", advice: "Make room: with a full disk nothing new is stored." },
      answers: { name: "the API answers", advice: "See journalctl -u tijolo-central." },
      visits: {
        name: "the gateway answers visitors",
        advice: "See journalctl -u tijolo-gateway, and who has the ports: ss -ltnp.",
      },
      certificates: {
        name: "certificates of sites and panel",
        advice:
          "It ends soon, or has ended: tijolo cluster certificate list says why it was not renewed, and whether the gateway reaches central (journalctl -u tijolo-gateway).",
      },
      ownClock: {
        name: "clock kept right by the network",
        advice:
          "Other machines go by this clock, and certificates are judged by it: timedatectl set-ntp true.",
      },
      gatewayKey: {
        name: "gateway's key for root alone",
        advice:
          "Others may have read it: remove the gateway (tijolo cluster gateway remove), delete /var/lib/tijolo/gateway and run install central.",
      },
      haproxyRenewal: {
        name: "HAProxy renewed daily",
        advice:
          "See journalctl -u tijolo-haproxy: it takes mmdebstrap and Debian's archive. Visitors are served on by the one before. Without the timer, install again.",
      },
      schema: {
        name: "database of this release",
        advice: "When it is of a newer release, install that one again, or restore the older release's data.",
      },
      ledger: {
        name: "database of this release",
        advice: "When it is of a newer release, bring that one again: the line of tijolo cluster host add.",
      },
      orphans: {
        name: "no projects that only hosts know",
        advice:
          "See which, and adopt or remove each: tijolo cluster orphan list. A host that is named was not reached.",
      },
      masterKeys: {
        name: "master keys for root alone",
        advice: "chown root:root /etc/tijolo/master-keys && chmod 600 /etc/tijolo/master-keys",
      },
      linkCertificate: {
        name: "certificate of the hosts' link",
        advice:
          "Put TIJOLO_LINK_LISTEN into /etc/tijolo/central.env and run install central; one that ends is renewed by systemctl restart tijolo-central.",
      },
      hostKey: {
        name: "host's key for root alone",
        advice: "Others may have read it: revoke the host (tijolo cluster host revoke) and install it anew.",
      },
      pin: {
        name: "key of releases",
        advice:
          "The release in use is of another key than the one pinned at the installation. Find out where it came from first.",
      },
      cgroups: {
        name: "limits of projects (cgroup v2)",
        advice:
          "Without them there are no limits: Debian has them; look at cgroup_disable on the kernel's command line.",
      },
      filter: {
        name: "network rules of the projects (nftables)",
        advice:
          "Somebody removed them (another firewall, flush ruleset?): systemctl restart tijolo-agent writes them again; projects go on.",
      },
      clock: {
        name: "clock, and central reached",
        advice: "Set the clock right (timedatectl set-ntp true), or see what keeps central out of reach.",
      },
    },
  },
};
