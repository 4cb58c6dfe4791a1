/** The ledger's tables, as numbered steps that only go forward; the file's `user_version` is the number of steps it has taken. */

export const migrations: readonly string[] = [
  `
  -- One row: what the agent knows of itself and of central.
  CREATE TABLE host (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    host_id TEXT,
    epoch INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    next_sequence INTEGER NOT NULL
  ) STRICT;
  INSERT INTO host VALUES (1, NULL, 0, 0, 1);

  -- What central wants of this host.
  CREATE TABLE assignment (
    project_id TEXT PRIMARY KEY,
    generation INTEGER NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Every project that is, or still has something, on this host.
  CREATE TABLE project (
    project_id TEXT PRIMARY KEY,
    generation INTEGER NOT NULL,
    uid_index INTEGER UNIQUE,
    record TEXT
  ) STRICT, WITHOUT ROWID;

  -- What central has yet to be told.
  CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    project_id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX outbox_project ON outbox (project_id, kind);
  `,
];
