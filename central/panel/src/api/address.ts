/** Addresses of the API that a browser opens by itself: files that are downloaded by a link. */

import { pathOf, type CallInput, type OperationName } from "@tijolo/protocol/client";
import { routes } from "virtual:routes";

export function addressOf<Name extends OperationName>(name: Name, input: CallInput<Name>): string {
  return `/api${pathOf(routes[name], input)}`;
}
