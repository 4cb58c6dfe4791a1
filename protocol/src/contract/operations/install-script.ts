/** Describes the script with which one line makes a machine a part of the cluster. */

import { z } from "zod";
import { described } from "../described.ts";

export const installScript = described(z.strictObject({ url: z.url(), sha256: z.string() }), {
  url: { pt: "Onde está o script.", en: "Where the script is." },
  sha256: {
    pt: "SHA-256 do script, que a linha confere.",
    en: "SHA-256 of the script, which the line checks.",
  },
});
