/** A key's level follows from its scopes, so that no key can be stored with another. */

export const keyLevel = [`alter table api_key drop column level`];
