/** Rows of the interface specification: "Endpoints". */

export const endpointsRows = {
  "endpoint.listProjects": "GET | `/projects` | read | list projects",
  "endpoint.getProject": "GET | `/projects/{id}` | read | get one project",
  "endpoint.logs": "GET | `/projects/{id}/logs` | read | live logs",
  "endpoint.metrics": "GET | `/projects/{id}/metrics` | read | metrics",
  "endpoint.createProject": "POST | `/projects` | read and write | create a project",
  "endpoint.uploadCode": "POST | `/projects/{id}/code` | read and write | upload new code",
  "endpoint.start": "POST | `/projects/{id}/start` | read and write | start",
  "endpoint.stop": "POST | `/projects/{id}/stop` | read and write | stop",
  "endpoint.restart": "POST | `/projects/{id}/restart` | read and write | restart",
  "endpoint.listVariables":
    "GET | `/projects/{id}/variables` | read and write | list environment variables (secret, so write level)",
  "endpoint.setVariables": "PUT | `/projects/{id}/variables` | read and write | set environment variables",
  "endpoint.settings": "PATCH | `/projects/{id}` | scope `projects:settings` | change settings",
  "endpoint.authenticated":
    "All need authentication (see Authentication). Every error response has the error body described in Errors.",
  "endpoint.id": "Path parameter `id`: required, string matching the project id pattern.",
  "list.answer": 'Response 200: `{ "projects": [Project, ...] }`.',
  "get.answer":
    'Response 200: `{ "project": Project }`. 404 `not_found` when the project does not exist or is not the account\'s (same answer for both, on purpose).',
  "logs.stream": "Response: stream with content type `text/event-stream`.",
  "logs.lines": "Query parameter `lines`: integer, values above 1000 give 400 `invalid_request`.",
  "logs.openings":
    "At most one open per project every 5 seconds and at most 5 open at once (429 `too_many_requests`).",
  "logs.revoked": "Logs open with a key that is revoked close within 20 seconds.",
  "logs.sections": "The log sections are Instalação (install) and Aplicação (application).",
  "upload.form": "Request: `multipart/form-data` with the .zip in form field `file`.",
  "upload.config":
    "Configuration comes from `svc.json` inside the .zip, or from form fields including `language` and `command`. A form field `start` with value `true` starts a new project after install.",
  "upload.site_only":
    "`svc.json` or the form may carry `port` and `subdomain` for sites only (on a bot they are an error).",
  "upload.limits": "Upload size is limited by plan; one upload per 3 seconds per account.",
  "upload.running": "Uploading new code to a running project brings it back up with the new code by itself.",
  "upload.errors":
    "Errors: 413 `invalid_zip` (over plan limit, has `limitMb`), 422 `invalid_zip`, `unsafe_zip`, `missing_config`, `invalid_config`, `unsupported_language`, `insufficient_memory`, `invalid_subdomain`, `reserved_subdomain`; 403 `project_limit_reached`, `site_not_allowed`, `site_limit_reached`; 409 `subdomain_taken`, `no_capacity`, `project_busy`, `account_suspended`, `beta_ending`; 503 `variables_unavailable`, `server_unavailable`; 429 `too_many_requests`.",
  "control.body": "No JSON body is specified for them.",
  "control.busy":
    "409 `project_busy` while the project is `creating` or `installing` or has another action in progress.",
  "control.errors":
    "Start and restart can return 409 `install_pending`, 422 `plan_limit_reached`, 409 `account_suspended` (stop stays allowed), 409 `beta_ending`, 503 `variables_unavailable`, 503 `server_unavailable`.",
  "variables.names": "Variable names must be valid (invalid name gives 400 `invalid_request`)",
  "variables.size": "all variables together are limited to 32 KB (413 `payload_too_large` for oversize JSON)",
  "variables.unavailable": "503 `variables_unavailable` when the variables cannot be opened.",
};
