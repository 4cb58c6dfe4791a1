/**
 * Names the settings that `npm start` and the installer hand to each program, without the prefix `TIJOLO_`. A
 * test compares them with docs/settings.md, and that with the programs.
 */

export const centralSettings = [
  "LISTEN",
  "GATEWAY_LISTEN",
  "COUNTRIES_DIRECTORY",
  "INSTALL_FILES_DIRECTORY",
  "GATEWAY_ADDRESSES",
  "LINK_LISTEN",
  "LINK_URL",
  "CLUSTER_CIDR",
  "SITE_DOMAIN",
  "SITE_URL_PATTERN",
  "PLANS_FILE",
  "MASTER_KEYS",
  "MASTER_KEY_FILE",
  "ACME_DIRECTORIES",
  "ACME_STAGING_DIRECTORY",
  "ACME_CONTACT",
  "ACME_BINDINGS_FILE",
  "ACME_ROOTS_FILE",
  "ACME_DNS_HOOK",
  "ACME_CHALLENGE",
  "MORE_SYSTEM_PACKAGES",
  "SUSPENSION_GRACE_HOURS",
  "SIGN_UP",
  "PANEL_URL",
  "PANEL_DIRECTORY",
  "SMTP_URL",
  "MAIL_FROM",
  "TRUSTED_PROXIES",
  "WEBHOOKS_TO_PRIVATE_ADDRESSES",
];

export const agentSettings = [
  "RUNTIME",
  "AGENT_NAME",
  "HOST_NAME",
  "NETWORK_CIDR",
  "MESH_PORT",
  "UID_START",
  "IMAGES_DIRECTORY",
  "DEBIAN_MIRROR",
  "NPM_REGISTRY",
  "DEBIAN_INDEX_AGE_DAYS",
  "REGISTRY_AUTH_FILE",
  "REGISTRY_MIRRORS",
  "REGISTRY_INSECURE",
  "INSTALL_TIMEOUT_SECONDS",
];

export const gatewaySettings = [
  "GATEWAY_NAME",
  "HTTPS_LISTEN",
  "HTTP3",
  "TRUSTED_PROXIES",
  "PROXY_PROTOCOL",
  "TOOLS_DIRECTORY",
];
