/** Adds to each version which settings its upload decided. */

export const versionConfig = [`alter table version add column config text`];
