/** The most that a list returns: the newest. */
export const NOTIFICATIONS_MAX = 50;

export const ANNOUNCEMENT_TITLE_MAX = 140;
export const ANNOUNCEMENT_BODY_MAX = 500;
