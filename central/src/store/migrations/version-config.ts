/** Migration: a version remembers what of the settings its upload decided. */

export const versionConfig = [`alter table version add column config text`];
