/** The systemd units of central. */

import { centralFiles, centralUser, places } from "./places.ts";

export interface ListenAddresses {
  api: string;
  sites: string;
}

export const centralUnit = "tijolo-central.service";
const sockets = { api: "tijolo-central-api.socket", sites: "tijolo-central-sites.socket" } as const;
export const centralUnits = [centralUnit, ...Object.values(sockets)];
export const centralSockets: readonly string[] = Object.values(sockets);

/** Returns the text of each unit, by its name. systemd holds the sockets: connections wait during a restart. */
export function textsOfCentralUnits(listen: ListenAddresses): Map<string, string> {
  return new Map([
    [centralUnit, service],
    [sockets.api, socket("api", listen.api)],
    [sockets.sites, socket("sites", listen.sites)],
  ]);
}

/** Central needs no privilege at all; just-in-time compilation is why it may make memory executable. */
const service = `[Unit]
Description=Tijolo: central
Documentation=file:${places.central}/LICENSE
Requires=${Object.values(sockets).join(" ")}
After=network-online.target ${Object.values(sockets).join(" ")}
Wants=network-online.target

[Service]
User=${centralUser}
Group=${centralUser}
Environment=TIJOLO_DATA_DIRECTORY=${centralFiles.data}
EnvironmentFile=${centralFiles.settings}
LoadCredential=tijolo-master-keys:${centralFiles.masterKeys}
ExecStart=${places.central}/bin/node --disable-warning=ExperimentalWarning ${places.central}/central/src/main.js
Sockets=${Object.values(sockets).join(" ")}
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
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
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
