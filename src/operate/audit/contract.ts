/** Entries on a page of the site's audit. */
export const AUDIT_SHOWN = 50;
