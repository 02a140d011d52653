// Decision: the format of a session's address is written here and nowhere else. The CHECK of the database, the schema of the API and
// every look-up import it, so another format is a change of this file and a migration of that CHECK.

/** Words of lower-case letters and digits, joined by single hyphens. */
export const slugFormat = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Digits alone are never a slug, because a session is also named by its id. */
export const onlyDigits = /^[0-9]+$/;
/** `/sessions/new` is a page. */
export const RESERVED_SLUG = "new";
export const SESSION_SLUG_LENGTH_MAX = 60;
