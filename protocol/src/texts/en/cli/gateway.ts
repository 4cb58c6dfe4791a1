import type { gateway as pt } from "../../pt/cli/gateway.ts";

export const gateway: typeof pt = {
  commands: {
    "cluster gateway add": "Makes a single-use invitation for a new gateway",
    "cluster gateway list": "Lists the gateways, where visitors arrive",
    "cluster gateway remove": "Takes a gateway out of the cluster, at once and for good",
  },
  options: {},
  texts: {
    none: "No gateways: central itself serves the visitors. Run tijolo cluster gateway add.",
    states: { connected: "connected", unknown: "no signal", never_connected: "never connected" },
    gateway: "the gateway (id or name)",
    sureToRemove: (name) =>
      `Remove the gateway ${name}? It leaves the cluster at once and for good; what it knows it goes on serving until it is turned off.`,
    wouldRemove: (name) =>
      `This would take the gateway ${name} out of the cluster for good. Confirm with --yes.`,
    removed: (name) =>
      `The gateway ${name} has left the cluster. Turn off the machine, or the program on it.`,
  },
};
