/** Defines the rules of Java projects: a ready `.jar`; nothing is installed (spec: "Language behaviour"). */

import type { LanguageRules } from "./language-rules.ts";

export const java: LanguageRules = {
  plan: () => [],
  files: [],
  path: [],
  environment: {},
  installEnvironment: () => ({}),
  runEnvironment: (heapMb) => ({ JAVA_TOOL_OPTIONS: `-Xmx${heapMb}m -XX:+ExitOnOutOfMemoryError` }),
};
