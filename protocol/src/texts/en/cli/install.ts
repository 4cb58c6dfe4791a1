import type { install as pt } from "../../pt/cli/install.ts";

export const install: typeof pt = {
  help: `Usage: ./install all [--yes]            central, the gateway and the projects on this machine, as services
       ./install central [--yes]      installs central and the gateway as services (run again: repairs, or changes nothing)
       ./install host --central URL [--authority FILE] [--token-file FILE] [--yes]
       ./install gateway --central URL --authority FILE [--token-file FILE] [--yes]
       ./install packages bookworm|trixie [--architecture x64|arm64] [--mirror URL] [--output FOLDER] [--json]
                                      fetches the Debian packages for machines without internet
       ./install uninstall central|host|gateway [--purge]
       ./install uninstall host --with-projects [--purge]

--no-gateway leaves ports 80 and 443 free: visitors arrive at another machine, or through another program.

--with-projects ends the projects that are on the machine: when central has revoked it, or is gone for good.

--purge also deletes the data, the settings and the keys.`,
  askSiteDomain: "Domain of the sites, as sites.example.dev (Enter: this machine alone, at *.localhost)",
  askPanelName: "Name of the panel, as panel.example.dev (Enter: opened from this machine alone)",
  askLetsEncrypt: "Certificates from Let's Encrypt? Saying yes accepts their terms [Y/n]",
  noName: (text) => `"${text}" is not a domain name. An example: sites.example.dev`,
  panelBelowSites: "The panel cannot be below the domain of the sites: that name may be a site's.",
  recordsNeeded: (names) =>
    `In the DNS, these names must lead to this machine's public address, with its ports 80, 443 and 8444 open:\n  ${names}`,
  steps: {
    packages: "packages of the system",
    hostPackages: "Debian packages for the other machines",
    tools: "packages of the agent's tools",
    join: "join token",
    tree: "programs in /opt/tijolo/releases",
    user: "user tijolo",
    settings: "settings in /etc/tijolo",
    masterKeys: "master keys in /etc/tijolo/master-keys",
    releases: "packages for the other machines",
    countries: "tables of countries",
    countriesRenewal: "daily renewal of the tables of countries",
    data: "data in /var/lib/tijolo",
    link: "version in use",
    command: "command tijolo",
    releaseKey: "key of releases",
    units: "units of systemd",
    service: "service up",
    haproxy: "HAProxy",
    gatewaySettings: "settings in /etc/tijolo/gateway.env",
    gatewayJoin: "join token of the gateway",
    authority: "authority of central",
    gatewayUnit: "systemd's unit tijolo-gateway",
    haproxyRenewal: "daily renewal of a HAProxy that was fetched",
    gateway: "gateway up",
  },
  done: (step) => `✓ ${step}`,
  unchanged: (step) => `· ${step}: as it was`,
  checked: (well) => `✓ ${well} checks of tijolo doctor are well`,
  stepFailed: (step, reason) => `Failed at "${step}": ${reason}`,
  asBefore: "All that was changed is undone: the machine is as before.",
  centralStays:
    "What was changed for the host is undone. Central and the gateway are installed and stay; the same command goes on with the host.",
  centralStaysDown: (lines) =>
    `Central of the earlier release does not come up: its data may be of the newer one. Install the newer release again, or restore a backup (docs/backup.md).\n${lines}`,
  notAsBefore: (what) => `This could not be undone:\n${what}`,
  needsRoot: "Run it as root (sudo), on Linux.",
  needsSystemd: "This machine was not started by systemd (there is no /run/systemd/system).",
  isOlder: (version) =>
    `Version ${version} is in use, which is newer than this one: its data may not open here. Use the package of ${version} or a newer one.`,
  damaged: (file) => `This package is incomplete or was changed (${file}). Fetch and unpack it again.`,
  otherReleaseKey: (own, pinned, file) =>
    `This release has the key ${own}, and this machine keeps to ${pinned}: it may be somebody else's. Ask who built it. If the change is yours, delete ${file} and run the line again.`,
  dataNotHere: (place, own) =>
    `TIJOLO_DATA_DIRECTORY (${place}) counts for npm start only: the services have their data in ${own}. To take yours over, stop npm start, run cp -a ${place}/. ${own}/ and install without that variable.`,
  dataElsewhere: (place, own) =>
    `The data of an npm start in ${place} are not taken over. If you want them, stop here and run first, with npm start stopped: mkdir -p ${own} && cp -a ${place}/. ${own}/`,
  noSpace: (where, free, needed) =>
    `There is too little room in ${where}: ${free} MB are free, and ${needed} MB are needed.`,
  centralInstalled: (url, isChanged) =>
    isChanged
      ? `Central serves at http://${url}. Logs: journalctl -u tijolo-central`
      : `Nothing to change: central serves at http://${url}.`,
  gatewayInstalled: (pattern) =>
    `The gateway takes the visitors: each site at ${pattern}. Logs: journalctl -u tijolo-gateway`,
  portTaken: (address) =>
    `Another program has ${address}, where visitors arrive (ss -ltnp shows which). End it, or choose another address with TIJOLO_HTTP_LISTEN and TIJOLO_HTTPS_LISTEN.`,
  portTakenAtCentral: (address) =>
    `Another program has ${address}, where visitors arrive (ss -ltnp shows which). End it, choose another address with TIJOLO_HTTP_LISTEN and TIJOLO_HTTPS_LISTEN, or use --no-gateway.`,
  panelIsLocal: (api) =>
    `The panel opens on this machine only. From another: ssh -L ${api.split(":").at(-1)}:${api} root@this-machine. For all: put TIJOLO_PANEL_URL="https://name-of-this-machine" into /etc/tijolo/central.env and run systemctl restart tijolo-central.`,
  startLink: (link) => `Open this link once, within 24 hours, to make the first account:\n\n${link}`,
  centralUninstalled: (isPurged) =>
    isPurged
      ? "Central was removed, with its data."
      : "Central was removed. Its data is in /var/lib/tijolo, its keys in /etc/tijolo; --purge deletes them.",
  plainHttp: (url, kind) =>
    `${url}: without TLS and the authority of central (--authority) only at 127.0.0.1. From another machine, use the line that tijolo cluster ${kind} add prints.`,
  otherSystem: (name) => `The system is ${name}; Debian 12 or Ubuntu 24.04 is needed, or newer.`,
  oldKernel: (version, oldest) => `The kernel is ${version}; containers need ${oldest} or newer.`,
  noCgroups: (names) =>
    `Projects cannot be limited: the controllers ${names} of cgroup v2 are missing. They are Debian's default; look at cgroup_disable on the kernel's command line.`,
  networkClash: (network, name) =>
    `The projects' network, ${network}, is in use on this machine (${name}). Choose one that is free on all machines with central's TIJOLO_CLUSTER_CIDR; or, for this host alone, set TIJOLO_NETWORK_CIDR=10.x.y.0/21 in the installer's environment: a part of the cluster's network that is free here and that no other host has.`,
  clockOff: (seconds) =>
    `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} central's; 60 s is the limit. Set it right (timedatectl set-ntp true).`,
  centralAway: (url, reason) => `Central does not answer at ${url}: ${reason}`,
  noToken: (prefix, kind) =>
    `This is no join token of a ${kind}: it begins with ${prefix}. Make one with tijolo cluster ${kind} add.`,
  noFile: (option, reason) =>
    `The file of ${option} cannot be read: ${reason}. Copy the line that central showed once more, or look at the path.`,
  askToken: "Join token (tj…; it is not shown)",
  goOn: "Go on? [y/N]",
  nothingDone: "Nothing was changed.",
  hostPlan: (name, url, packages) =>
    [
      `This machine (${name}) becomes a host of the cluster at ${url}:`,
      packages === "" ? "  packages of the system: they are there" : `  packages of the system: ${packages}`,
      "  programs in /opt/tijolo, data in /var/lib/tijolo/agent, settings in /etc/tijolo",
      "  service tijolo-agent of systemd, as root",
    ].join("\n"),
  gatewayPlan: (name, url, addresses) =>
    [
      `This machine (${name}) becomes a gateway of the cluster at ${url}:`,
      `  visitors arrive at ${addresses}`,
      "  HAProxy, where it is missing; programs in /opt/tijolo, data in /var/lib/tijolo/gateway, settings in /etc/tijolo",
      "  service tijolo-gateway of systemd",
    ].join("\n"),
  farGatewayInstalled: (isChanged) =>
    isChanged
      ? "This machine is a gateway of the cluster. Let the names of sites and panel lead to it, too. Logs: journalctl -u tijolo-gateway"
      : "Nothing to change: this machine is a gateway of the cluster.",
  gatewayIsCentrals:
    "Central is on this machine, and its gateway comes and goes with it: ./install central, ./install uninstall central.",
  gatewayUninstalled: (isPurged) =>
    isPurged
      ? "The gateway was removed, with its data. Take it out of the cluster with tijolo cluster gateway remove."
      : "The gateway was removed. Its data is in /var/lib/tijolo/gateway; --purge deletes it. Take it out of the cluster with tijolo cluster gateway remove.",
  allPlan: (name, packages) =>
    [
      `This machine (${name}) becomes a whole cluster:`,
      packages === "" ? "  packages of the system: they are there" : `  packages of the system: ${packages}`,
      "  programs in /opt/tijolo, data in /var/lib/tijolo, settings in /etc/tijolo",
      "  services tijolo-central, tijolo-gateway (ports 80 and 443) and tijolo-agent of systemd",
    ].join("\n"),
  noDebianKeyring: (file) =>
    `${file} is missing, which checks Debian's signatures: apt-get install debian-archive-keyring.`,
  noMirror:
    "This machine's apt knows no archive of Debian. Run apt-get update first, or say where it is: --mirror URL (with debian and debian-security below it).",
  fetchingPackages: (suite) => `Fetching packages of ${suite}…`,
  packagesFetched: (file, packages, bytes) =>
    `${file}: ${packages} packages, ${Math.ceil(bytes / 1e6)} MB. On central's machine, with it beside the release's folder, run ./install central.`,
  packagesDamaged: (file) =>
    `${file} is incomplete, or of another system. Copy it again, or make another with ./install packages.`,
  packagesOfOther: (file) => `${file} is not of this machine's system (/etc/os-release).`,
  packagesRefused: (suite, packages, reason) =>
    `${reason}\nCentral's packages do not fit this machine, which may be newer than they are. Make others (./install packages ${suite}) and run ./install central on central's machine, or install here with apt-get install ${packages}.`,
  withoutCountries:
    "The tables of countries could not be had: analytics go on without countries. Run it again once this machine reaches an archive of Debian, or with packages of ./install packages.",
  noOperatorToken: (file) =>
    `${file} is missing, with which this machine would join. Make a token with tijolo cluster host add and run ./install host --central http://127.0.0.1:8080.`,
  hostInstalled: (isChanged) =>
    isChanged
      ? "This machine is in the cluster. Logs: journalctl -u tijolo-agent"
      : "Nothing to change: this machine is in the cluster.",
  hasProjects: (projects) =>
    `There ${projects === 1 ? "is 1 project" : `are ${projects} projects`} on this machine. Delete them first (tijolo cluster host show lists them). When central has revoked this machine or is gone for good, --with-projects ends them.`,
  hostUninstalled: (isPurged) =>
    isPurged
      ? "The agent was removed, with its data. Take the machine out of the cluster with tijolo cluster host revoke."
      : "The agent was removed. Its data is in /var/lib/tijolo/agent; --purge deletes it. Take the machine out of the cluster with tijolo cluster host revoke.",
};
