/** Lets a certificate belong to one of a site's own domains, with which it goes. */

export const domainCertificates = [
  `alter table certificate add column domain_id text references domain (id) on delete cascade`,
  `create unique index certificate_domain on certificate (domain_id) where domain_id is not null`,
];
