/** Ids in the notice that the server writes before a page (src/pages/ssr/stream-delay.ts). */
export const WAIT_ID = "catching-up";
export const WAIT_LEFT_ID = "catching-up-left";
export const WAIT_OFF_ID = "catching-up-off";
