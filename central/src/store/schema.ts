/**
 * The tables of central's database, as Kysely sees them. Times are milliseconds since 1970; JSON columns hold
 * text.
 */

export interface Schema {
  setting: { name: string; value: string };
  account: {
    id: string;
    name: string;
    plan: string;
    suspended_at: number | null;
    /** Time when running projects of a suspended account stop. */
    stops_at: number | null;
    /** Time when the account returns to Free. */
    beta_ends_at: number | null;
    created_at: number;
  };
  /** Entries of what was done in an account. */
  activity: {
    id: string;
    account_id: string;
    at: number;
    actor_kind: string;
    actor_id: string | null;
    actor_name: string;
    action: string;
    project_id: string | null;
    project_name: string | null;
    address: string | null;
    before_fields: string | null;
    after_fields: string | null;
  };
  api_key: {
    id: string;
    account_id: string;
    name: string;
    /** First characters of the key, for lists. */
    prefix: string;
    hash: string;
    scopes: string;
    created_at: number;
    last_used_at: number | null;
    revoked_at: number | null;
  };
  /** People who sign in to the panel, one per account. */
  person: {
    id: string;
    account_id: string;
    name: string;
    email: string;
    email_verified: number;
    created_at: number;
    updated_at: number;
  };
  /** A person's password; null after it was removed. */
  credential: {
    id: string;
    person_id: string;
    provider: string;
    subject: string;
    password: string | null;
    created_at: number;
    updated_at: number;
  };
  session: {
    id: string;
    person_id: string;
    token_hash: string;
    /** Address of the last use; `user_agent` is its program. */
    address: string | null;
    user_agent: string | null;
    expires_at: number;
    created_at: number;
    updated_at: number;
    /** Time when the person last proved who it is in this session; null: before that was kept. */
    confirmed_at: number | null;
    /** 1: a passkey opened or confirmed it. */
    has_passkey: number;
  };
  /** Single-use tokens: `identifier` is a hash, `value` names the purpose and the subject. */
  verification: {
    id: string;
    identifier: string;
    value: string;
    expires_at: number;
    created_at: number;
    updated_at: number;
  };
  /**
   * Second factors. Secrets are encrypted, recovery codes hashed; a pending secret becomes valid with its
   * first code.
   */
  two_factor: {
    person_id: string;
    secret: string | null;
    recovery_codes: string;
    /** Time step of the last code that was accepted: no code is accepted twice. */
    last_step: number;
    pending_secret: string | null;
    pending_recovery_codes: string;
  };
  /** Sign-ups that wait for the link of their mail; `password` is a hash. An e-mail may have several. */
  pending_sign_up: {
    id: string;
    email: string;
    name: string;
    password: string;
    created_at: number;
    expires_at: number;
  };
  /** Passkeys: credentials of browsers and security keys, each good for the host name `rp_id` only. */
  passkey: {
    id: string;
    person_id: string;
    credential_id: string;
    rp_id: string;
    public_key: string;
    /** Number of uses that the authenticator reported last; 0 for one that does not count. */
    counter: number;
    transports: string;
    name: string;
    is_synced: number;
    created_at: number;
    last_used_at: number | null;
  };
  /** Places from which a person has signed in. */
  sign_in_place: { person_id: string; address: string; user_agent: string; seen_at: number };
  /** Requests that an account made with its keys. */
  rate_window: {
    account_id: string;
    minute_started_at: number;
    minute_used: number;
    day_started_at: number;
    day_used: number;
  };
  /** Answers to requests with an idempotency key. */
  idempotency: { account_id: string; key: string; fingerprint: string; answer: string; created_at: number };
  operator: {
    id: string;
    name: string;
    token_hash: string;
    created_at: number;
    role: string;
    prefix: string;
    expires_at: number | null;
  };
  /** Role of a person who is an operator. */
  operator_person: { person_id: string; role: string; created_at: number };
  /** Changes made by operators. */
  audit: {
    id: string;
    at: number;
    operator_id: string;
    operator_name: string;
    address: string;
    action: string;
    subject_kind: string;
    subject_id: string | null;
    subject_name: string | null;
    before_fields: string | null;
    after_fields: string | null;
  };
  host: {
    id: string;
    name: string;
    public_key: string;
    resources: string | null;
    build: string | null;
    /** Revision of the host, which grows with each change of its desired state. */
    desired_revision: number;
    taken_sequence: number;
    last_seen_at: number | null;
    created_at: number;
    revoked_at: number | null;
    memory_cap_mb: number | null;
    /**
     * Distance by which the host is led above central's own epoch; null: it was not led since a restore, or
     * there was none.
     */
    epoch_ahead: number | null;
    /** Where it runs: a gateway of the same machine reaches its projects. */
    machine: string | null;
    /** Addresses that central gives its projects; no two hosts have one range. */
    mesh_range: string | null;
    mesh_key: string | null;
    /** What else it says that it is in the mesh; null as long as it said nothing. */
    mesh_own: string | null;
  };
  /** A machine where visitors arrive. */
  gateway: {
    id: string;
    name: string;
    public_key: string;
    build: string | null;
    /** Where it runs, as it said when it was last connected. */
    machine: string | null;
    last_seen_at: number | null;
    created_at: number;
    revoked_at: number | null;
  };
  /** Image that an operator has a language version run on, in place of its recipe's sources. */
  image_override: { language: string; version: string; reference: string; updated_at: number };
  join_token: {
    hash: string;
    expires_at: number;
    used_at: number | null;
    created_at: number;
    memory_cap_mb: number | null;
  };
  project: {
    id: string;
    account_id: string;
    name: string;
    description: string;
    type: string;
    settings: string;
    /** The settings that the current run was started with. */
    running_settings: string | null;
    memory_mb: number;
    /** Memory of `running_settings`. */
    running_memory_mb: number | null;
    subdomain: string | null;
    /** Subdomain that the gateway knows: that of the current run while it is on, otherwise `subdomain`. */
    served_subdomain: string | null;
    run: string;
    restart_count: number;
    /** Tag of the settings and variables of the last request to run. */
    start_config_tag: string | null;
    version_number: number;
    created_at: number;
    updated_at: number;
  };
  /** A project's environment variables: one sealed document. */
  project_variables: {
    project_id: string;
    /** A keyed hash of the content (`Vault.fingerprint`): the same content has the same revision. */
    revision: string;
    /** The master key that sealed `ciphertext`. */
    key_id: string;
    ciphertext: string;
  };
  /** The host of a project, and what its agent observed. */
  placement: {
    project_id: string;
    host_id: string;
    generation: number;
    observed: string | null;
    /**
     * Memory that the project holds of its host; written with each change of the project, because hosts are
     * compared by its sum.
     */
    reserved_memory_mb: number;
    /** Revision that grows with each change of what is wanted of the project. */
    revision: number;
    /** Value of the host's `desired_revision` when the project's desired state there changed last. */
    wanted_revision: number;
  };
  /** A project that no longer belongs to a host, and why, until the host reports that nothing is left. */
  departure: {
    host_id: string;
    project_id: string;
    reason: string;
    created_at: number;
    /** Value of the host's `desired_revision` when the departure was written. */
    revision: number;
  };
  version: {
    project_id: string;
    number: number;
    archive_sha256: string;
    size_bytes: number;
    trigger: string;
    by_kind: string;
    by_name: string;
    rolled_back_from: number | null;
    created_at: number;
    finished_at: number | null;
    error_code: string | null;
    error_details: string | null;
    /** Settings that the upload was resolved to; null for a version from before they were kept. */
    settings: string | null;
    /** Time when it came up for the first time. */
    came_up_at: number | null;
    /** Settings that its upload decided (`SettingsOrigin`), as JSON; null: not known. */
    config: string | null;
  };
  /** Failures of projects, for their events. Ids are in the order of time. */
  project_event: {
    id: string;
    project_id: string;
    at: number;
    kind: string;
    version_number: number;
    error_code: string;
    error_details: string;
  };
  /** Exits of projects, each once. */
  project_exit: {
    project_id: string;
    host_id: string;
    sequence: number;
    run_number: number;
    code: number;
    is_out_of_memory: number;
    is_crash: number;
    exited_at: number;
  };
  /** Files of programs that versions replaced, as hosts report them; `paths` is a list of the first ones. */
  replaced_files: {
    project_id: string;
    version_number: number;
    reported_at: number;
    file_count: number;
    paths: string;
  };
  /** Own domains of sites; `seen` is what DNS answered last, `error` what is missing, as JSON. */
  domain: {
    id: string;
    project_id: string;
    account_id: string;
    hostname: string;
    status: string;
    redirect_to: string | null;
    seen: string | null;
    error: string | null;
    created_at: number;
    checked_at: number | null;
    /** Time of the next check; null: it is not checked any more. */
    next_check_at: number | null;
    /** Time of the first check of an active domain that did not find the proof. */
    proof_missing_since: number | null;
    missing_noted_at: number | null;
  };
  /** Subdomains that an account gave up, and may have back until then. */
  kept_subdomain: { subdomain: string; account_id: string; kept_until: number };
  /** Notices to accounts; repetitions within an hour are one row. */
  notice: {
    id: string;
    account_id: string;
    kind: string;
    /** Id of what the notice is about: a project, a machine, an announcement. */
    subject: string;
    /** The project may be gone. */
    project_id: string | null;
    content: string;
    at: number;
    last_at: number;
    count: number;
    read_at: number | null;
  };
  /** Share of a limit that a project's owner was told of, until the use falls below it again. */
  notice_level: { project_id: string; resource: string; percent: number };
  /** Channels that carry the notices of an account beside the list; the address is sealed. */
  notice_channel: {
    account_id: string;
    channel: string;
    kinds: string;
    key_id: string | null;
    ciphertext: string | null;
    last_sent_at: number | null;
    last_error: string | null;
    /** Time of the first failure since the last success. */
    failing_since: number | null;
    /** Time when the account was told that the channel fails. */
    failing_noted_at: number | null;
  };
  /** The outbox of notices: deliveries that wait for their first or another try. */
  notice_delivery: {
    notice_id: string;
    account_id: string;
    channel: string;
    /** Number of tries that were begun. */
    tries: number;
    /** Time of the next try; while one is under way, the time when it counts as lost. */
    next_try_at: number;
    created_at: number;
  };
  /** Announcements of operators; one reaches the accounts in the order of their ids, up to `told_after`. */
  announcement: {
    id: string;
    at: number;
    text: string;
    host_id: string | null;
    host_name: string | null;
    by_name: string;
    told_after: string;
    accounts: number;
    completed_at: number | null;
  };
  /** Certificates with their keys, which are sealed. A renewed one is another row. */
  /** Holds what a site's owner has said about its visits. */
  site_settings: {
    project_id: string;
    /** Settings that were said, as JSON. */
    settings: string;
    updated_at: number;
  };
  /** Holds the pages of its own that a site shows where nothing of it answers. */
  site_page: {
    project_id: string;
    status: string;
    html: string;
    size_bytes: number;
    updated_at: number;
  };
  certificate: {
    id: string;
    kind: string;
    /** Host names and addresses, in order, as JSON. */
    names: string;
    /** Chain in PEM: the certificate first, then those that signed it. */
    chain: string;
    key_id: string;
    ciphertext: string;
    begins_at: number;
    ends_at: number;
    created_at: number;
    /** Address of the ACME directory that it came from. */
    directory: string | null;
    /** Time when it is renewed. */
    renew_at: number | null;
    /** Window of the authority that `renew_at` was chosen from. */
    renewal_window: string | null;
    /** Time when the authority is asked for its window again. */
    renewal_ask_at: number | null;
    /** The domain whose owner brought it. */
    domain_id: string | null;
  };
  /** The key of central's accounts with ACME authorities, sealed. */
  acme_key: { id: string; key_id: string; ciphertext: string; created_at: number };
  /** Orders that failed since the last success, by their names as JSON. */
  certificate_order: {
    names: string;
    failures: number;
    next_try_at: number;
    fault: string;
    detail: string;
    failed_at: number;
  };
  /** Failures of the last hours, by host name. */
  certificate_failure: { name: string; at: number };
  /** First certificates of sites in the last days. */
  site_certificate_issue: { names: string; at: number };
}
