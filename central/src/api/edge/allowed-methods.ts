/** Names the methods that an address allows: the header `Allow` and the text of a request without operation. */

import { operations, type Operation, type Words } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";

export class AllowedMethods {
  readonly #addresses: { pattern: RegExp; methods: string[] }[];

  constructor(basePath: string) {
    const methods = new Map<string, string[]>();
    for (const { path, method } of Object.values<Operation>(operations)) {
      methods.set(path, [...(methods.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
    }
    this.#addresses = [...methods].map(([path, taken]) => ({
      pattern: new RegExp(`^${basePath}${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
      methods: taken,
    }));
  }

  /** Returns an empty list for an address without an operation. */
  of(url: string): readonly string[] {
    const [path = ""] = url.split("?", 1);
    return this.#addresses.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
  }
}

/** Returns the text of the answer to a request whose address or method leads to no operation. */
export function noOperationText(method: string, methods: readonly string[]): Words {
  return methods.length === 0
    ? requestDetails.noSuchAddress
    : requestDetails.methodNotTaken(method, methods.join(", "));
}
