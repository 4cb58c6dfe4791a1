/** Rows of the interface specification: "Errors". */

export const errorsRows = {
  "error_body.status": "`status` | always `error`",
  "error_body.code": "`code` | fixed English identifier; clients must rely on it",
  "error_body.message": "`message` | Portuguese text for a person; may change at any time",
  "error_body.extra": "extra fields | some errors add data, listed below",
  "error.retry_after": "Every 429 carries the header `Retry-After` (seconds remaining).",
  "error.invalid_api_key": "`invalid_api_key` | 401 | key missing, nonexistent, revoked or malformed",
  "error.not_authenticated": "`not_authenticated` | 401 | panel-only route, no session",
  "error.insufficient_permission": "`insufficient_permission` | 403 | read-only key on a changing route",
  "error.insufficient_scope": "`insufficient_scope` | 403 | key lacks the route's scope | `requiredScope`",
  "error.api_key_not_allowed": "`api_key_not_allowed` | 403 | action does not accept API keys",
  "error.rate_limit_exceeded": "`rate_limit_exceeded` | 429 | per-minute or per-day plan limit passed",
  "error.too_many_requests":
    "`too_many_requests` | 429 | heavy actions too close: .zip upload (1 per 3 s) or log open (1 per 5 s per project, up to 5 open)",
  "error.too_many_attempts":
    "`too_many_attempts` | 429 | 10 wrong keys from one IP in 10 minutes; blocked 15 minutes",
  "error.invalid_request":
    "`invalid_request` | 400 | parameter or body out of format (for example `lines` over 1000, invalid variable name, empty PATCH body)",
  "error.unsupported_media_type":
    "`unsupported_media_type` | 415 | body not JSON (for example missing `Content-Type`)",
  "error.payload_too_large":
    "`payload_too_large` | 413 | JSON body too large; variables together up to 32 KB",
  "error.not_found": "`not_found` | 404 | project does not exist or is not the account's",
  "error.internal_error": "`internal_error` | 500 | failure on the service side",
  "error.invalid_zip":
    "`invalid_zip` | 413 or 422 | 413: .zip over plan limit; 422: not a .zip, corrupt, empty or password-protected | `limitMb` (413)",
  "error.unsafe_zip":
    "`unsafe_zip` | 422 | links, paths outside the folder, special files or too large when extracted | `reason`: `path`, `link`, `special_file`, `size`, `file_count`, `compression_ratio`",
  "error.missing_config":
    "`missing_config` | 422 | no `svc.json` in the .zip and no `language` and `command` in the form",
  "error.invalid_config":
    "`invalid_config` | 422 | wrong or unknown field in `svc.json` or form, `port`/`subdomain` on a bot, or setting invalid for plan or language | `field` when known",
  "error.unsupported_language":
    "`unsupported_language` | 422 | language or version outside the list | `supported`",
  "error.insufficient_memory":
    "`insufficient_memory` | 422 | requested memory exceeds what is left on the plan | `freeMemoryMb`, `requestedMemoryMb`",
  "error.project_limit_reached": "`project_limit_reached` | 403 | plan's project maximum reached | `limit`",
  "error.site_not_allowed": "`site_not_allowed` | 403 | site or API on a plan without sites (Free)",
  "error.site_limit_reached": "`site_limit_reached` | 403 | plan's site maximum reached | `limit`",
  "error.invalid_subdomain":
    "`invalid_subdomain` | 422 | subdomain out of format: 3 to 32 characters, lowercase letters, digits and hyphen, no hyphen at the ends | `field`",
  "error.reserved_subdomain":
    "`reserved_subdomain` | 422 | reserved name, or one that resembles a bank, brand or public body | `field`",
  "error.subdomain_taken": "`subdomain_taken` | 409 | another site uses the subdomain | `field`",
  "error.no_capacity": "`no_capacity` | 409 | servers are full now; nothing charged or deleted",
  "error.project_busy":
    "`project_busy` | 409 | project installing, being prepared, or another action in progress",
  "error.install_pending": "`install_pending` | 409 | last install failed, nothing to start",
  "error.plan_limit_reached":
    "`plan_limit_reached` | 422 | starting this project passes the plan's memory with those already running | `freeMemoryMb`, `requestedMemoryMb`",
  "error.account_suspended":
    "`account_suspended` | 409 | account suspended for non-payment; stop remains allowed",
  "error.beta_ending":
    "`beta_ending` | 409 | beta just ended and the account is returning to Free; nothing deleted",
  "error.server_unavailable":
    "`server_unavailable` | 503 | project server did not answer in time; nothing changed",
  "error.variables_unavailable":
    "`variables_unavailable` | 503 | project variables could not be opened (also on start, restart and code upload); nothing stored",
  "error.missing_variables":
    "`missing_variables` | (status not stated) | a project created from a template starts without the template's required variables",
  "failure.install_failed": "`install_failed` | Instalação | dependency install or build ended with error",
  "failure.install_timeout": "`install_timeout` | Instalação | install took more than 5 minutes",
  "failure.install_out_of_memory":
    "`install_out_of_memory` | Instalação | install used more than 1 GB of memory",
  "failure.install_interrupted":
    "`install_interrupted` | Instalação | a fault on the service side interrupted the install",
  "failure.start_failed": "`start_failed` | Aplicação | the start command did not come up",
  "failure.system_packages_failed":
    "`system_packages_failed` | (section not stated) | system packages failed (condition not stated)",
  "failure.process_exited":
    "`process_exited` | Aplicação | process crashed on the Free plan, which does not restart",
  "failure.crash_loop": "`crash_loop` | Aplicação | crashed 5 times in a row and stopped restarting",
};
