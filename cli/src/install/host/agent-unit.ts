/** Holds the text of the agent's systemd unit. */

import { nodeFlags } from "../../start/node-flags.ts";
import { agentFiles, places, slice } from "../places.ts";

export const agentUnit = "tijolo-agent.service";

/**
 * Nothing here makes a mount namespace (`ProtectSystem`, `PrivateTmp`, `LoadCredential`): the next agent would
 * not see what this one has mounted. There is no `SystemCallFilter` either, as containers inherit it. Only the
 * agent's own process is ended with the unit: projects run on.
 */
export const textOfAgentUnit = `[Unit]
Description=Tijolo: agent
Documentation=file:${places.agent}/LICENSE
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
Slice=${slice}
NotifyAccess=all
Environment=TIJOLO_DATA_DIRECTORY=${agentFiles.data}
EnvironmentFile=${agentFiles.settings}
ExecStart=${places.agent}/bin/node ${nodeFlags.agent.join(" ")} ${places.agent}/agent/src/main.js
Restart=always
RestartSec=2
TimeoutStartSec=1200
TimeoutStopSec=20
WatchdogSec=120
KillMode=process
OOMScoreAdjust=-900
LimitNOFILE=1048576
TasksMax=infinity
UMask=0077

[Install]
WantedBy=multi-user.target
`;
