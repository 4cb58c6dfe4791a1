/**
 * Prints the version of a database's schema. It runs as who owns the database, in a process of its own: an owner may
 * have it hang, or lead elsewhere. Arguments: the database, and the query that has its `version`.
 */

import { DatabaseSync } from "node:sqlite";

const [, , database = "", query = ""] = process.argv;
using file = new DatabaseSync(database, { readOnly: true });
process.stdout.write(String(file.prepare(query).get()?.["version"]));
