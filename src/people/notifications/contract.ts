/** The most that a list returns: the newest. */
export const NOTIFICATIONS_MAX = 50;
/** How many come with every page; opening the list fetches the rest. */
export const NOTIFICATIONS_LOADED = 10;

export const ANNOUNCEMENT_TITLE_MAX = 140;
export const ANNOUNCEMENT_BODY_MAX = 500;
