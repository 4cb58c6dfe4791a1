/** Rows of the interface specification: "What the service does, general conventions, versioning". */

export const overviewRows = {
  "overview.kinds":
    "A project is either a `bot` (a background process) or a `site` (a web app or API that listens on a port and gets a public HTTPS address).",
  "overview.upload":
    "A user uploads a .zip of the code. The service extracts it, installs dependencies, runs the build, and runs the start command.",
  "overview.actions":
    "Projects can be started, stopped and restarted. Logs and metrics can be read. Environment variables can be listed and set.",
  "overview.settings":
    "Project settings can be changed (name, description, type, language, entry file, start command, install command, runtime version, served folder, memory, subdomain, port, system packages).",
  "overview.panel":
    "An API key replaces the login session. Some operations are allowed only from the panel, not with a key.",
  "overview.tags": "The API description also groups routes under these tags:",
  "overview.mcp":
    "An account-level MCP server (JSON-RPC over `POST {base_url}/mcp`, same key) exists for AI agents.",
  "overview.plans":
    "Plans set request rates, memory, project counts and whether sites are allowed (Free has no sites).",
  "overview.paid_restart": "Paid plans restart a crashed project automatically; Free does not.",
  "overview.site_address": "Public site addresses are `<subdomain>.{site_domain}`.",
  "convention.https": "Transport | HTTPS only",
  "convention.request_bodies":
    "Request bodies | JSON with `Content-Type: application/json`; the .zip upload is `multipart/form-data`",
  "convention.responses":
    'Responses | JSON, with the resource under its name (`{ "project": {...} }`, `{ "projects": [...] }`); logs are streamed as `text/event-stream`',
  "convention.project_id": "Project id | string of 26 characters, pattern `^[0-9A-HJKMNP-TV-Z]{26}$`",
  "convention.timestamps": "Timestamps | ISO 8601, UTC, millisecond precision, with `Z` suffix",
  "convention.memory": "Memory | always MB (`memoryMb`); 1 GB = 1024 MB",
  "convention.error_body":
    'Error body | `{ "status": "error", "code", "message" }` plus optional extra fields',
  "version.label":
    "The API description carries the version label `1.0.0`. The base address has no version segment.",
};
