/** The tables of central's database, as Kysely sees them. Times are milliseconds since 1970; JSON columns hold text. */

import { Kysely, type Transaction as KyselyTransaction } from "kysely";
import { RecentReads } from "./recent-reads.ts";

export interface Schema {
  setting: { name: string; value: string };
  account: { id: string; name: string; plan: string; suspended_at: number | null; created_at: number };
  api_key: {
    id: string;
    account_id: string;
    name: string;
    /** The first characters, for lists. */
    prefix: string;
    hash: string;
    level: string;
    scopes: string;
    created_at: number;
    last_used_at: number | null;
    revoked_at: number | null;
  };
  operator: { id: string; name: string; token_hash: string; created_at: number };
  host: {
    id: string;
    name: string;
    public_key: string;
    resources: string | null;
    build: string | null;
    boot_id: string | null;
    /** Grows with each change of what is wanted of the host. */
    desired_revision: number;
    taken_sequence: number;
    last_seen_at: number | null;
    created_at: number;
    revoked_at: number | null;
  };
  join_token: { hash: string; expires_at: number; used_at: number | null; created_at: number };
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
    subdomain: string | null;
    run: string;
    restart_count: number;
    version_number: number;
    created_at: number;
    updated_at: number;
  };
  /** Ties a project to a host; what its agent saw. */
  placement: { project_id: string; host_id: string; generation: number; observed: string | null };
  version: {
    project_id: string;
    number: number;
    archive_sha256: string;
    size_bytes: number;
    created_at: number;
  };
  /** Each exit of a project, once. */
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
}

export class Database extends Kysely<Schema> {
  readonly recent = new RecentReads();
}

declare const transactionBrand: unique symbol;

/** Only {@link transact} makes one: a function that asks for it cannot be called outside a transaction. */
export type Transaction = KyselyTransaction<Schema> & { readonly [transactionBrand]: true };

/** Reads may run inside or outside a transaction. */
export type Reader = Database | Transaction;
