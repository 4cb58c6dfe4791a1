/** Names the methods that an address allows: the header `Allow` and the text of a request without operation. */

import { operations, type Operation, type Words } from "@tijolo/protocol";

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
  if (methods.length === 0) {
    return {
      pt: "Não existe nada neste endereço; /api/docs lista os que existem.",
      en: "There is nothing at this address; /api/docs lists those that exist.",
    };
  }
  const taken = methods.join(", ");
  return {
    pt: `Este endereço não aceita ${method}; aceita ${taken}.`,
    en: `This address does not take ${method}; it takes ${taken}.`,
  };
}
