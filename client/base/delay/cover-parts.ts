/** Ids in the cover that the server writes before a page (src/pages/ssr/cover.ts). */
export const COVER_ID = "catching-up";
export const COVER_LEFT_ID = "catching-up-left";
export const COVER_OFF_ID = "catching-up-off";
