/** Imported first: keeps the schemas from trying `new Function`, which the panel's policy forbids. */

(globalThis as { __zod_globalConfig?: { jitless: boolean } }).__zod_globalConfig = { jitless: true };
