/** The ranks on the podium. */
export const PODIUM_RANKS = 3;
