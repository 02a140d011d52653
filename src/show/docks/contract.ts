/** How many docks of a session have a link that is accepted. */
export const DOCKS_MAX = 10;
