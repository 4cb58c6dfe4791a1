/** Provides the client with the routes of every operation, for programs that may load all schemas. */

import { operations } from "../contract/operations.ts";
import { createClient as createClientOfRoutes, type Client, type ClientOptions } from "./client.ts";
import { routesOf } from "./routes.ts";

const routes = routesOf(operations);

/** Makes a client that has a method for each operation. */
export function createClient(options: ClientOptions): Client {
  return createClientOfRoutes(routes, options);
}
