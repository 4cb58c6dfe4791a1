/**
 * Number of certificates whose keys central seals at its first start: its authority's, and the one of its own
 * names.
 */
export const certificatesAtStart = 2;
