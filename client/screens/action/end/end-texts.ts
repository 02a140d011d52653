import { countOf } from "#client/base/format/count.ts";

/** What the end of a session says. */
export const endTexts = {
  region: "How it ended",
  podium: "The first three",
  teams: "The first teams, by score",
  members: (count: number) => countOf(count, "player"),
  nobody: "Nobody won or lost this time.",
  record: (wins: number, losses: number) => `${wins} won, ${losses} lost`,
  place: "Your place",
  ofPlayers: (players: number) => ` of ${players}`,
  net: "Your net",
  best: "Best call",
  bestCall: (net: string, question: string) => `${net} · ${question}`,
  noCall: "You made no call this time. The next session starts even for all.",
  watched: "You watched this one. Join the next in one tap, no account.",
  curve: (from: number, net: string, highest: string, lowest: string) =>
    `Your net over ${countOf(from, "question")}: ends at ${net}, highest ${highest}, lowest ${lowest}`,
  live: (name: string) => `${name} is live`,
  join: "Join",
  next: (name: string, when: string) => `Next ${when}: ${name}`,
  noNext: "No next session is planned yet.",
  nextUnknown: "The next session appears here.",
  leaders: "Full leaders",
  history: "My history",
  sheet: "Results sheet",
  sessions: "All sessions",
  account: "Create an account: one form, 20 seconds.",
};
