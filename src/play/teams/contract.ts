/**
 * So many more players count in each team, who have won nothing. A plain mean would let two lucky players win, a sum the largest team.
 */
export const QUIET_PLAYERS = 5;
