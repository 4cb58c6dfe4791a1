/**
 * The ledger's tables, as numbered steps that only go forward; the file's `user_version` is the number of
 * steps it has taken.
 */

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
  `
  -- Parts of an update whose last part has not come; a row without a body is a project to delete.
  CREATE TABLE staged (
    project_id TEXT PRIMARY KEY,
    hash TEXT,
    body TEXT
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE host ADD COLUMN staged_parts INTEGER NOT NULL DEFAULT 0;
  UPDATE assignment SET body = json_set(body, '$.configTag', '', '$.variables', NULL);
  `,
  `
  -- What an operator has a language version run on, as central last told it.
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
  `,
  `
  -- What the host was joined with: nothing but a person goes over to another.
  ALTER TABLE host ADD COLUMN runtime TEXT;
  UPDATE host SET runtime = 'nspawn' WHERE host_id IS NOT NULL;
  `,
  `
  -- Since when central does not name the project any more; its assignment goes on to hold. Null: it does.
  ALTER TABLE assignment ADD COLUMN unwanted_at INTEGER;
  -- Why central gave the project up here, and when the host heard of it.
  ALTER TABLE project ADD COLUMN departure TEXT;
  ALTER TABLE project ADD COLUMN departed_at INTEGER;
  ALTER TABLE staged ADD COLUMN departure TEXT;
  -- Until now a project without an assignment was one to remove. Before the first set, it is one whose ledger was lost.
  UPDATE project SET departure = 'deleted', departed_at = 0
    WHERE project_id NOT IN (SELECT project_id FROM assignment) AND (SELECT revision FROM host) > 0;
  `,
];
