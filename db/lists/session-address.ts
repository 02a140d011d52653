/** Words of lower-case letters and digits, joined by single hyphens. */
export const slugFormat = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Digits alone are never a slug, because a session is also named by its id. */
export const onlyDigits = /^[0-9]+$/;
/** `/sessions/new` is a page. */
export const RESERVED_SLUG = "new";
export const SESSION_SLUG_LENGTH_MAX = 60;
