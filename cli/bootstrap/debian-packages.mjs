/** Installs missing Debian packages, without recommendations, questions, or services that start. */

import { CommandError, run } from "./child.mjs";
import { PreparationError } from "./preparation-error.mjs";
import { findMissingTools, isCommand } from "./system-tools.mjs";

const aptTimeoutMs = 15 * 60_000;

/**
 * Installs what {@link findMissingTools} names of `tools` (default: those of a host) where this can (root,
 * apt-get); throws PreparationError where it cannot. The package lists are fetched only after an install
 * without that failed.
 */
export async function installMissingTools({ texts, progress, env, userId, tools }) {
  const missing = findMissingTools(tools);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((tool) => tool.debianPackage))];
  const names = packages.join(" ");
  const what = texts.missingTools(missing.map((tool) => tool.file).join(", "));
  if (!isCommand("apt-get")) throw new PreparationError(`${what}\n${texts.notDebian(names)}`);
  if (userId !== 0) throw new PreparationError(`${what}\n${texts.needsRoot(names)}`);

  const options = {
    env: { ...env, DEBIAN_FRONTEND: "noninteractive", NEEDRESTART_MODE: "l", LC_ALL: "C.UTF-8" },
    timeoutMs: aptTimeoutMs,
  };
  const apt = ["apt-get", "--quiet", "--yes", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0"];
  const install = () =>
    progress.step(texts.installPackages(names), (onLine) =>
      run([...apt, "install", "--no-install-recommends", ...packages], { ...options, onLine }),
    );
  try {
    await install().catch(async (cause) => {
      if (!(cause instanceof CommandError)) throw cause;
      await progress.step(texts.updatePackageLists, (onLine) =>
        run([...apt, "update"], { ...options, onLine }),
      );
      await install();
    });
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    throw new PreparationError(texts.aptFailed(names), cause.tail);
  }
  const still = findMissingTools(tools);
  if (still.length > 0)
    throw new PreparationError(
      `${texts.missingTools(still.map((tool) => tool.file).join(", "))}\n${texts.aptFailed(names)}`,
    );
}
