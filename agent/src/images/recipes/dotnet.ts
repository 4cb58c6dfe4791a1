/** Defines the recipe of .NET, with the whole SDK: a project is published on the host that runs it. */

import type { ImageSource } from "../recipe.ts";

export const dotnetSources: Record<string, readonly ImageSource[]> = {
  "10": [
    {
      kind: "oci",
      why: "Debian has none; this is the publisher's own (on Ubuntu, whose apt installs system packages)",
      reference: "mcr.microsoft.com/dotnet/sdk:10.0",
      packages: [],
    },
  ],
};
