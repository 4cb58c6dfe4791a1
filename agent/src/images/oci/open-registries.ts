/**
 * Opens the images of registries as the agent's settings say, and shows them as the image store takes them.
 */

import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { AgentConfig } from "../../config.ts";
import { hostArchitecture, type EnsureOptions, type PulledImage } from "../image-store.ts";
import { OciImages } from "./oci-images.ts";

type RegistryConfig = Pick<AgentConfig, "registryAuthFile" | "registryMirrors" | "insecureRegistries">;

/** In the directory of the image store, so that both kinds of layers are listed and pruned together. */
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
 * The image as it was when it was last pulled; pulled where it is not here, or is to be what the registry has
 * now.
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
