/** Makes the text of the gateway's systemd unit. */

import { nodeFlags } from "../../start/node-flags.ts";
import { gatewayFiles, places, slice } from "../places.ts";

export const gatewayUnit = "tijolo-gateway.service";

/** The unit's line by which HAProxy goes on when the unit ends. */
const goesOn = "KillMode=process";

/** Returns the text of a unit with which HAProxy ends. */
export function endingHaproxy(unit: string): string {
  return unit.replace(goesOn, "KillMode=control-group");
}

export interface GatewayUnit {
  centralUrl: string;
  /** Link to the release that it runs. */
  tree: string;
  /** True where central is another machine, known by its authority. */
  hasAuthority: boolean;
}

/**
 * Returns the unit's text. The capabilities are HAProxy's: it takes the ports, gives sockets to its user, becomes
 * it and leaves the file system; a new one ends the one before. It goes on when the unit ends, so visitors notice
 * no restart.
 */
export function textOfGatewayUnit({ centralUrl, tree, hasAuthority }: GatewayUnit): string {
  const authority = hasAuthority
    ? `Environment=TIJOLO_CENTRAL_AUTHORITY_FILE=${gatewayFiles.authority}\n`
    : "";
  return `[Unit]
Description=Tijolo: gateway
Documentation=file:${tree}/LICENSE
After=network-online.target tijolo-central.service
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
Slice=${slice}
NotifyAccess=all
Environment=TIJOLO_DATA_DIRECTORY=${gatewayFiles.data}
Environment=TIJOLO_TOOLS_DIRECTORY=${places.tools}
Environment=TIJOLO_CENTRAL_URL=${centralUrl}
${authority}Environment=TIJOLO_JOIN_TOKEN_FILE=${gatewayFiles.joinToken}
EnvironmentFile=-${gatewayFiles.settings}
ExecStart=${tree}/bin/node ${nodeFlags.gateway.join(" ")} ${tree}/central/gateway/src/main.js
Restart=always
RestartSec=2
TimeoutStartSec=180
TimeoutStopSec=20
WatchdogSec=120
${goesOn}
LimitNOFILE=262144
UMask=0077
CapabilityBoundingSet=CAP_NET_BIND_SERVICE CAP_CHOWN CAP_FOWNER CAP_SETUID CAP_SETGID CAP_SYS_CHROOT CAP_KILL
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${gatewayFiles.data}
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
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
KeyringMode=private
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service chroot
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}
