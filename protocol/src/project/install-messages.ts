/**
 * Codes and parameters of what a host says of an install. The sentences are in `texts/{pt,en}/install.ts`.
 */

import { z } from "zod";
import { languages } from "../nouns/language.ts";
import { count, diskAmountMb } from "../values/amounts.ts";
import { seconds } from "./run-messages.ts";
import { longQuotation, quotation } from "./quotation.ts";

const names = z.array(quotation).max(50);
const language = z.enum(languages);
const port = z.int().min(0).max(65_535);

export const installMessages = {
  upload_gone: {},
  upload_not_extracted: {},
  upload_on_damaged_disk: {},
  project_disk_full: {
    usedMb: diskAmountMb,
    limitMb: diskAmountMb.nullable(),
    full: z.enum(["bytes", "files"]).nullable(),
  },
  host_disk_full: {},
  system_packages_unavailable: { packages: names, reason: longQuotation },
  nothing_to_install: {},
  image_in_preparation: { language, version: quotation, hasSystemPackages: z.boolean() },
  install_reused: {},
  install_repeated_with_home: {},
  version_still_here: { version: count },
  install_done: { seconds },
  install_failed_after: { seconds },
  built_folder_chosen: { folder: quotation },
  built_site_missing: { folders: names },
  built_folder_missing: { folder: longQuotation },
  built_site_too_large: {},
  pipfile_ignored: {},
  version_as_wanted: { language, version: quotation, file: quotation, wanted: quotation },
  version_not_wanted: { language, version: quotation, file: quotation, wanted: quotation, versions: names },
  no_isolation: {},
  language_of_machine: { language },
  system_packages_of_machine: { packages: names },
  language_not_on_machine: { language, programs: names },
  site_port_on_machine: { port, taken: quotation.nullable() },
} satisfies Record<string, z.ZodRawShape>;
