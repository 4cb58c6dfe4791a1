/** Defines the least memory of a project. */

/**
 * Returns the least `memoryMb` of a project: static site 64, other site 512, bot 128 on Free and 256 on paid
 * plans.
 */
export function minimumMemoryMb(
  plan: { name: string },
  project: { type: "bot" | "site"; language: string },
): number {
  if (project.language === "static") return 64;
  if (project.type === "site") return 512;
  return plan.name === "Free" ? 128 : 256;
}
