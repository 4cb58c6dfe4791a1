/** The state of a machine, by shape and word. */

import type { HostSummary } from "@tijolo/protocol/client";
import { clusterHostsTexts } from "../../texts/cluster/hosts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { StatusBrick, type BrickShape } from "../../ui/marks/status-brick.tsx";

const shapes: Record<HostSummary["state"], BrickShape> = {
  connected: "whole",
  unknown: "crossed",
  never_connected: "outline",
};

export function HostState({ state }: Pick<HostSummary, "state">) {
  const texts = useTexts(clusterHostsTexts);
  return <StatusBrick shape={shapes[state]} label={texts.states[state]} />;
}
