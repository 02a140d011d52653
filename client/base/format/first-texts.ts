/** The texts of parts that the first scripts have. */

// Clock face
export const getReady = "get ready";

// Pool bar
export const poolSide = (label: string, percent: string, money: string) => `${label} ${percent}, ${money}`;
export const poolLabel = (trueSide: string, falseSide: string) => `Pool: ${trueSide}. ${falseSide}`;

// Toast
export const close = "Close";

// Mark
export const calledIt = "Called It";

// Times
export const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
