/** Makes the text of central's systemd units: the service, and a socket for each address. */

import { centralFiles, centralUser, places, slice } from "../places.ts";

export interface ListenAddresses {
  api: string;
  sites: string;
  /** Null: hosts elsewhere are not served. */
  link: string | null;
}

export const centralUnit = "tijolo-central.service";
const sockets = {
  api: "tijolo-central-api.socket",
  sites: "tijolo-central-sites.socket",
  link: "tijolo-central-link.socket",
} as const;
/** Names all units that central may have; without an address for hosts elsewhere there is no socket for it. */
export const centralUnits = [centralUnit, ...Object.values(sockets)];

/** Returns the text of each unit, by its name. systemd holds the sockets: connections wait during a restart. */
export function textsOfCentralUnits({ api, sites, link }: ListenAddresses): Map<string, string> {
  const texts = new Map<string, string>([
    [sockets.api, socket("api", api)],
    [sockets.sites, socket("sites", sites)],
  ]);
  if (link !== null) texts.set(sockets.link, socket("link", link));
  return new Map([[centralUnit, service([...texts.keys()].join(" "))], ...texts]);
}

/**
 * Central needs no privilege at all; just-in-time compilation is why it may make memory executable, and netlink
 * is how it knows the machine's own addresses when a host connects.
 */
const service = (held: string) => `[Unit]
Description=Tijolo: central
Documentation=file:${places.central}/LICENSE
Requires=${held}
After=network-online.target ${held}
Wants=network-online.target

[Service]
Slice=${slice}
User=${centralUser}
Group=${centralUser}
Environment=TIJOLO_DATA_DIRECTORY=${centralFiles.data}
Environment=TIJOLO_INSTALL_FILES_DIRECTORY=${centralFiles.installFiles}
Environment=TIJOLO_COUNTRIES_DIRECTORY=${places.countries}
Environment=TIJOLO_GATEWAY_TOKEN_FILE=${centralFiles.data}/gateway-token
EnvironmentFile=${centralFiles.settings}
LoadCredential=tijolo-master-keys:${centralFiles.masterKeys}
ExecStart=${places.central}/bin/node --disable-warning=ExperimentalWarning ${places.central}/central/src/main.js
Sockets=${held}
Restart=always
RestartSec=1
TimeoutStopSec=20
LimitNOFILE=65536
UMask=0077
CapabilityBoundingSet=
AmbientCapabilities=
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${centralFiles.data}
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectProc=invisible
ProcSubset=pid
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
KeyringMode=private
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;

function socket(name: keyof typeof sockets, address: string): string {
  return `[Unit]
Description=Tijolo: addresses of central (${name})

[Socket]
ListenStream=${address}
FileDescriptorName=${name}
Service=${centralUnit}
NoDelay=yes
Backlog=4096

[Install]
WantedBy=sockets.target
`;
}
