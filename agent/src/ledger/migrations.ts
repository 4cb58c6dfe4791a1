/** The steps that make the ledger's tables. They only go forward, and one that was released is never changed. */

export interface LedgerMigrations {
  /** The file's `user_version` after the first step; each later step raises it by one. */
  firstVersion: number;
  steps: readonly string[];
  /** Takes the place of the first step in a ledger that is one version below it. */
  fromVersionBelow: string;
}

const start = `
  -- One row: what the agent knows of itself and of central.
  CREATE TABLE host (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    host_id TEXT,
    epoch INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    next_sequence INTEGER NOT NULL,
    staged_parts INTEGER NOT NULL DEFAULT 0,
    -- The runtime that the host was joined with: only a person changes it.
    runtime TEXT
  ) STRICT;
  INSERT INTO host (only, epoch, revision, next_sequence) VALUES (1, 0, 0, 1);

  -- What central wants of this host.
  CREATE TABLE assignment (
    project_id TEXT PRIMARY KEY,
    generation INTEGER NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    -- Since when central does not name the project any more; its assignment stays in force. Null: central names it.
    unwanted_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- Every project that is, or still has something, on this host.
  CREATE TABLE project (
    project_id TEXT PRIMARY KEY,
    generation INTEGER NOT NULL,
    uid_index INTEGER UNIQUE,
    record TEXT,
    -- Why central gave the project up here, and when the host received that.
    departure TEXT,
    departed_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- What has yet to be reported to central.
  CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY,
    project_id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX outbox_project ON outbox (project_id, kind);

  -- Parts of an update whose last part has not come; a row without a body is a project to delete.
  CREATE TABLE staged (
    project_id TEXT PRIMARY KEY,
    hash TEXT,
    body TEXT,
    departure TEXT
  ) STRICT, WITHOUT ROWID;

  -- The images that operators chose for language versions, as central last reported them.
  CREATE TABLE image_override (
    language TEXT NOT NULL,
    version TEXT NOT NULL,
    reference TEXT NOT NULL,
    PRIMARY KEY (language, version)
  ) STRICT, WITHOUT ROWID;

  -- Images that an operator pulled, with their layers: kept until the operator prunes.
  CREATE TABLE pulled_image (
    name TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Agents from before the first release took five steps to the tables of `start`, with one column more. */
export const migrations: LedgerMigrations = {
  firstVersion: 6,
  steps: [start],
  fromVersionBelow: "ALTER TABLE outbox DROP COLUMN at",
};
