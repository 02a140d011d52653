import { countOf } from "#client/base/format/count.ts";
import { type ReactionKind, reactionKinds } from "#db/lists/reactions.ts";

/** What the sheets say. */
export const sheetTexts = {
  close: (title: string) => `Close ${title.toLowerCase()}`,
  back: "Back",
  toTheGame: " to the game",
};

/** What the sheet of the leaders says. */
export const leadersTexts = {
  title: "Leaders",
  none: "Nobody has won or lost yet. The first result puts the players who called it here.",
  first: "The first three",
  others: "The others",
  you: (name: string) => `${name} (you)`,
  record: (wins: number, losses: number) => `${wins} won, ${losses} lost`,
  ofPlayers: (players: number) => `of ${players}`,
  notRanked: (reason: string) => `You are not ranked here: ${reason}`,
  noRank: "You get a rank with your first result.",
  all: (players: number) => `All ${countOf(players, "player")}`,
};

/** What the sheet of the leaders says about teams. */
export const teamsTexts = {
  title: "Teams",
  mine: (name: string) => `${name} (yours)`,
  members: (count: number) => countOf(count, "player"),
  join: "Join",
  joinTeam: (name: string) => `Join ${name}`,
  score: "The score is what a team has won, divided by its players and five more.",
  choose: "You can change your team until your first result.",
  youPlayFor: (name: string) => `You play for ${name}.`,
  notChosen: "Your choice of a team could not be sent. Try again.",
};

/** What the sheet of the chat says. */
export const chatTexts = {
  title: "Chat",
  unread: (count: number) => countOf(count, "new message"),
  unreadNews: (count: number) => `${countOf(count, "new message")} in the chat.`,
  guest: "The chat is for players with an account.",
  finish: "Finish your account",
};

/** What the line about the game says: in the sheets, and on the pages around a live session. */
export const liveTexts = {
  opens: (left: string) => `Opens in ${left}`,
  closes: (left: string) => `Closes in ${left}`,
  locking: "Closing",
  closed: "Calls are closed",
  paused: "Paused by the host",
  resolved: (label: string) => `Result: ${label}`,
  withdrawn: "Skipped by the host",
  waiting: "The next question is on its way",
  pending: "Not started yet",
  over: "This session is over",
  live: "Live",
  /** "Live: closes in 0:12" */
  liveNow: (words: string) => `Live: ${words.charAt(0).toLowerCase()}${words.slice(1)}`,
};

const reactionWords: Record<ReactionKind, string> = {
  love: "Love",
  fire: "Fire",
  laugh: "Laugh",
  wow: "Wow",
  ouch: "Ouch",
};

/** What the reactions say. */
export const reactionTexts = {
  group: "React",
  kinds: reactionWords,
  /** "React. Just now: Love 3, Wow 1" */
  toggle: (counts: Partial<Record<ReactionKind, number>> | null) => {
    const sent = reactionKinds.flatMap((kind) => {
      const count = counts?.[kind] ?? 0;
      return count === 0 ? [] : `${reactionWords[kind]} ${count}`;
    });
    return sent.length === 0 ? "React" : `React. Just now: ${sent.join(", ")}`;
  },
};
