/** Names where an installed Tijolo lies on its machine. */

export const places = {
  releases: "/opt/tijolo/releases",
  /** Links to the release that is used. */
  central: "/opt/tijolo/central",
  agent: "/opt/tijolo/agent",
  /** On a machine with a gateway and no central. */
  gateway: "/opt/tijolo/gateway",
  /** A HAProxy that was fetched, which the gateway may read and not write. */
  tools: "/opt/tijolo/tools",
  /** Tables of the countries of addresses. */
  countries: "/opt/tijolo/countries",
  settings: "/etc/tijolo",
  data: "/var/lib/tijolo",
  units: "/etc/systemd/system",
  commands: "/usr/local/bin",
} as const;

/**
 * The slice of all that Tijolo runs on a machine. The agent weighs it against the machine's other slices, and the
 * projects in it against the services (`agent/src/host/cgroups/projects-weight.ts`).
 */
export const slice = "tijolo.slice";

/** Root's alone to write: central's user could place links in a directory of its own, and root would follow them. */
const installFiles = `${places.data}/install-files`;

export const centralFiles = {
  settings: `${places.settings}/central.env`,
  masterKeys: `${places.settings}/master-keys`,
  data: `${places.data}/central`,
  /** Token that central makes for the first operator at its first start. */
  firstOperatorToken: `${places.data}/central/first-operator-token`,
  installFiles,
  /** Releases that hosts are installed from. */
  releases: `${installFiles}/releases`,
  /** Sets of Debian packages for hosts without internet. */
  packages: `${installFiles}/packages`,
} as const;

export const gatewayFiles = {
  settings: `${places.settings}/gateway.env`,
  joinToken: `${places.settings}/gateway-token`,
  authority: `${places.settings}/gateway-authority.pem`,
  data: `${places.data}/gateway`,
} as const;

/** The key of releases that a host or a gateway elsewhere keeps to. */
export const releaseKeyFile = `${places.settings}/release-key.pub`;

export const agentFiles = {
  settings: `${places.settings}/agent.env`,
  joinToken: `${places.settings}/join-token`,
  authority: `${places.settings}/central-authority.pem`,
  data: `${places.data}/agent`,
} as const;

export const centralUser = "tijolo";
