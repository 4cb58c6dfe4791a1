/** Rows of the interface specification: "Authentication". */

export const authenticationRows = {
  "auth.1":
    "Send the header `Authorization: Bearer <API_KEY>` on every request. No cookie is used with a key.",
  "auth.2":
    "A key is created in the panel by giving it a name, choosing the permission and confirming with the account password. The key starts with `svc_` and is displayed once.",
  "auth.3":
    "Permission levels: **Leitura** (read) lists and shows projects and reads logs and metrics; **Leitura e escrita** (read and write) adds uploading and re-uploading the .zip, start, stop, restart and environment variables (including listing them, because they are secret).",
  "auth.4":
    "Routes also declare a per-route scope (for example `projects:settings`, `files:write`); a key without it gets 403 `insufficient_scope` with `requiredScope`. The full list of scopes and how they map to the two permission levels: not shown.",
  "auth.5": "At most 10 keys per account. The key list shows the start of each key and its last use.",
  "auth.6":
    "Revoking a key takes effect on the next request. Log streams opened with it close within 20 seconds.",
  "auth.7": "Password reset or the panel's not-me action revokes all keys of the account.",
  "auth.8": "Every action by a key is recorded in the account's activity with the key's name.",
  "auth.9": "A key never creates or revokes another key.",
  "auth.10":
    "Per the coarse table, deleting a project, changing settings, file operations, account usage, and key and billing management are panel-only; with a key they answer 403 `api_key_not_allowed` or 401 `not_authenticated`. (The settings route above nevertheless accepts a key with scope `projects:settings`.)",
  "auth.11":
    "Failure codes: 401 `invalid_api_key` (missing, nonexistent, revoked or malformed key); 403 `insufficient_permission` (read-only key on a route that changes something); 403 `api_key_not_allowed`; 401 `not_authenticated` (panel-only route without session); 429 `too_many_attempts` (10 wrong keys from one IP within 10 minutes block wrong keys from that IP for 15 minutes; a correct key still passes).",
};
