import type { image as pt } from "../../pt/cli/image.ts";

export const image: typeof pt = {
  commands: {
    "cluster image list": "Lists the images of each machine, and where each language's comes from",
    "cluster image pull": "Gets images ready on the machines before a project needs them",
    "cluster image prune": "Removes the images that no project uses from the machines",
    "cluster image set": "Has a language version run on an image of yours",
    "cluster image unset": "Returns a language version to Tijolo's image",
  },
  options: {
    imageHost: "on this machine only (name or id)",
    allImages: "all versions of all languages",
    imagePackages: "with these system packages, separated by commas",
    imageSources: "also shows why each source was chosen",
  },
  texts: {
    fields: {
      layer: "Layer",
      origin: "Source",
      size: "Size",
      builtAt: "Built",
      projects: "Projects",
      language: "Language",
      image: "Image",
    },
    noHosts: "No machines yet. Run tijolo cluster host add.",
    host: (name, size) => `Machine ${name}: ${size} of images`,
    noLayers: "No images yet.",
    pulledMark: "kept",
    recipes: "Where the image of each version comes from (the first that works):",
    override: (reference) => `${reference} (set by an operator)`,
    notTold: (reference) => `this machine does not know of the change to ${reference} yet`,
    hostLost: (name) =>
      `${name}: did not answer (it is down, silent, or its agent is older). See tijolo cluster host list.`,
    languageAndVersion: "the language and version, such as ruby 4.0 (or --all)",
    reference: "the image, such as registry.example/ruby:4.0",
    badReference: (given) => `"${given}" is not the name of an image, such as registry.example/ruby:4.0`,
    language: "the language",
    versionOf: (language) => `the version of ${language}`,
    nothingMore: "--all says everything: do not name a language as well.",
    pulled: (host, image, origins, size) => `${host}: ${image} is ready (${size}, from ${origins})`,
    unchanged: (host, image, size) => `${host}: ${image} was there already, unchanged (${size})`,
    runningOnOther: (count) =>
      `  ${count === 1 ? "1 running project stays" : `${count} running projects stay`} on the image of before until the next start.`,
    failed: (host, image, reason) => `${host}: ${image} failed: ${reason}`,
    pullCutOff:
      "The pull was cut off in the middle, before every machine had answered. What was on them before stays in use; repeat the command.",
    pullFailed: (count) => `Failures: ${count}. What was on the machines before stays in use.`,
    removed: (host, count, size) =>
      `${host}: ${count === 1 ? "1 layer" : `${count} layers`} removed, ${size} freed`,
    nothingRemoved: (host) => `${host}: nothing to remove`,
    shared: (host) => `${host}: shares its images with other agents of the same machine; nothing was removed`,
    set: (image, reference) => `${image} runs on ${reference} from each project's next start on.`,
    unset: (image) => `${image} returns to Tijolo's image with each project's next start.`,
    wasUnset: (image) => `${image} was on Tijolo's image already.`,
    exclusive: "No other image is used: if it cannot be pulled, the project does not start. Pull it first:",
    away: (count) => `Machines that are away, and will know when they return: ${count}.`,
    reinstall:
      "What projects have installed stays; dependencies compiled for another image need a new upload.",
  },
};
