/** Carries out `install packages`: fetches the Debian packages that hosts without internet install. */

import { dirname, resolve } from "node:path";
import { releaseArchitectures, type PackageSet } from "@tijolo/protocol";
import type { InstallCommand } from "../command.ts";
import { fetchPackages } from "../packages/fetch-packages.ts";
import { treeRoot } from "../release-tree.ts";

/** Returns the command for one version of Debian. */
export function packages(suite: PackageSet["suite"]): InstallCommand {
  return async (values, { output, messages }) => {
    const architecture = releaseArchitectures.find((each) => each === values.architecture);
    if (architecture === undefined) return null;
    const made = await fetchPackages({
      suite,
      architecture,
      mirror: values.mirror ?? null,
      output: resolve(values.output ?? dirname(treeRoot)),
      messages,
      say: (step) => output.note(step),
    });
    output.line(messages.install.packagesFetched(made.file, made.packages, made.sizeBytes));
    output.json(made);
    return 0;
  };
}
