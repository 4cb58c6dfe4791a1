/** Which start of its kernel a host runs is asked by nobody. */

export const bootId = [`alter table host drop column boot_id`];
