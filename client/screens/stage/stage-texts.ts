import { countOf, formatCount } from "#client/base/format/count.ts";

/** The texts of the big screen. */

// What is on
export const called = (calls: number) => countOf(calls, "call");
export const lastSeconds = (calls: number) => `Last seconds! ${countOf(calls, "call")}.`;
export const waitingForResult = (calls: number) => `Calls are closed. ${countOf(calls, "call")} placed.`;

// Result
export const calledRight = (right: number, players: number) =>
  right === 0
    ? `Nobody of ${formatCount(players)} called it.`
    : `${formatCount(right)} of ${formatCount(players)} called it.`;

// Between the questions
export const ofPlayers = (players: number) => `of ${countOf(players, "player")}`;

// At the end
export const players = "Players";
export const calls = "Calls";
