/** How far above central's own epoch each host is led after an older database was restored. */

export const restoredHosts = [`alter table host add column epoch_ahead bigint`];
