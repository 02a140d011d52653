import { countOf } from "../base/format/count.ts";

/** The texts of joining by a code. */

export const haveACode = "Have a code?";
export const code = "Code";
export const exampleCode = "ABC 234";
export const goOn = "Go";
export const title = "Join a show";
export const hint = "The code is on the big screen, or your host has it. Upper or lower case, both work.";
export const isPrivate = "A private show: only those with its code find it.";
export const joinAs = (name: string) => `Join as ${name}`;
export const playNow = "Play now";
export const signInInstead = "I have an account";
export const anotherCode = "Another code";
export const isLive = "Live now.";
export const notPlannedYet = "Not planned yet.";
export const isOver = "This show is over.";
export const yourTeam = "Your team";
export const playersIn = (count: number) => countOf(count, "player");
