/** Loaded into each test file's process, `?ms=` long: a file that something keeps alive after its tests, or beside them, ends and says what. */

const ms = Number(new URL(import.meta.url).searchParams.get("ms"));

setTimeout(() => {
  const resources = process.getActiveResourcesInfo().join(", ");
  console.error(`this file was given up after ${ms / 1000} s; it is kept alive by: ${resources}`);
  process.exit(1);
}, ms).unref();
