/** Opens the images of registries by the agent's settings, and provides them as the image store does. */

import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { AgentConfig } from "../../config.ts";
import { hostArchitecture, type EnsureOptions, type PulledImage } from "../image-store.ts";
import { OciImages } from "./oci-images.ts";

type RegistryConfig = Pick<AgentConfig, "registryAuthFile" | "registryMirrors" | "insecureRegistries">;

/**
 * Opens the registries in the directory of the image store, so that both kinds of layers are listed and
 * pruned together.
 */
export function openRegistries(
  imagesDirectory: string,
  config: RegistryConfig,
  logger: Pick<Logger, "info">,
): Promise<OciImages> {
  return OciImages.create({
    imagesDirectory,
    architecture: hostArchitecture(),
    logger,
    authFile: config.registryAuthFile,
    mirrors: config.registryMirrors,
    insecureHosts: config.insecureRegistries,
    now: () => new Date(),
    random: Math.random,
    randomName: () => randomBytes(4).toString("hex"),
  });
}

/**
 * Returns the image as it was when it was last pulled; pulls it when it is missing, or when the registry's
 * current one is requested.
 */
export async function pulledImage(
  images: Pick<OciImages, "ensure" | "pull">,
  reference: string,
  { isRefresh = false, ...waiter }: EnsureOptions,
): Promise<PulledImage> {
  const { digest, layers, config } = await (isRefresh
    ? images.pull(reference, waiter)
    : images.ensure(reference, waiter));
  return { digest, layers: layers.map(({ directory }) => directory), environment: config.environment };
}
