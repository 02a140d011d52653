export const PODIUM_RANKS = 3;
