/** Rows of the interface specification: "PATCH /projects/{id}". */

export const settingsRows = {
  "patch.scope":
    "Changes any part of the project's settings. Required permission: scope `projects:settings`.",
  "patch.body": "Request body (JSON object, at least 1 property, no unknown properties):",
  "patch_field.name": "`name` | string | max 40",
  "patch_field.description": "`description` | string | max 200",
  "patch_field.type": "`type` | string | enum `bot`, `site`",
  "patch_field.language": "`language` | string | free string in this body",
  "patch_field.entry": "`entry` | string",
  "patch_field.command": "`command` | string",
  "patch_field.installCommand": "`installCommand` | string or null",
  "patch_field.version": "`version` | string",
  "patch_field.root": "`root` | string",
  "patch_field.memoryMb": "`memoryMb` | integer",
  "patch_field.subdomain": "`subdomain` | string",
  "patch_field.port": "`port` | integer",
  "patch_field.systemPackages":
    "`systemPackages` | array of string | each one of the `systemPackages` enum above",
  "patch.1": "Values follow the rules of `svc.json` and of the plan.",
  "patch.2": "`name` and `description` take effect at once; all other fields take effect at the next start.",
  "patch.3":
    'Response 200: `{ "project": Project, "isRestartRequired": boolean }`; `isRestartRequired` is true when a change waits for the next start.',
  "patch.4": "Empty body or no field: 400 `invalid_request`.",
  "patch.5": "Unknown or wrongly formatted field: 400 `invalid_request`.",
  "patch.6": "Project busy (being prepared or another action running): 409 `project_busy`.",
  "patch.7": "Subdomain in use by another project: 409 `subdomain_taken` with `field` = `subdomain`.",
  "patch.8":
    "Setting invalid for the plan or language: 422 `invalid_config` with `field` naming the field. Stated case: the minimum memory of a bot on paid plans is 256 MB (`field` = `memoryMb`).",
  "patch.9": "Project missing or not the account's: 404 `not_found`.",
  "patch.10": "Key without the scope: 403 `insufficient_scope` with `requiredScope` = `projects:settings`.",
  "patch.11": "Missing, invalid or revoked key: 401 `invalid_api_key`.",
  "patch.12": "Rate limit: 429 `rate_limit_exceeded` or `too_many_attempts`, with `Retry-After`.",
  "patch.13": "Project server did not answer in time: 503 `server_unavailable`; nothing was changed.",
};
