import { countOf } from "../base/format/count.ts";

/** What the screens say about teams. */

export const teams = "Teams";
export const mine = (name: string) => `${name} (yours)`;
export const members = (count: number) => countOf(count, "player");
export const score = "Score";
export const hint =
  "The score is what a team has won, divided by its players and five more. So a small team and a large one have the same chances.";
export const join = "Join";
export const joinTeam = (name: string) => `Join ${name}`;
export const choose = "You can change your team until your first result.";
export const pick = "Your team";
export const option = (name: string, count: number) => `${name}, ${members(count)}`;

// A host moves a player
export const movePlayer = "Move a player to a team";
export const player = "Player";
export const team = "Team";
export const move = "Move";
