import { formatCount } from "#client/base/format/count.ts";

/** The texts of the bars of a phone that a page has from its start. */

// Live bar
export const liveSession = "Live session";
export const live = "Live";
export const backToLive = "Back to live";

// Phone bar
export const myRank = "My rank:";
export const ranks = "Ranks";
export const ofPlayers = (players: number) => ` of ${formatCount(players)}`;
