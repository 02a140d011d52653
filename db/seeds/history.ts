export type DemoHistory = {
  slug: string;
  name: string;
  /** The name of its blueprint, whose events are played in order. */
  blueprint: string;
  daysAgo: number;
  startHourUtc: number;
  /** The result of each event: t true, f false, v void. */
  results: string;
  /** The players of the session. `insight` is the chance that a call is on the winning side. */
  players: readonly { username: string; insight: number }[];
};

export const demoHistory: readonly DemoHistory[] = [
  {
    slug: "office-friday-1",
    name: "Office Friday, the first",
    blueprint: "Office Friday",
    daysAgo: 8,
    startHourUtc: 15,
    results: "ftvtftft",
    players: [
      { username: "ana", insight: 0.6 },
      { username: "ben", insight: 0.5 },
    ],
  },
  {
    slug: "quiz-night-7",
    name: "Quiz night no. 7",
    blueprint: "Quiz night",
    daysAgo: 4,
    startHourUtc: 19,
    results: "tftffttftf",
    players: [
      { username: "ana", insight: 0.6 },
      { username: "ben", insight: 0.45 },
      { username: "cleo", insight: 0.7 },
    ],
  },
  {
    slug: "sports-night-final",
    name: "Sports night: the final",
    blueprint: "Sports night",
    daysAgo: 1,
    startHourUtc: 18,
    results: "tftftvff",
    players: [
      { username: "ana", insight: 0.55 },
      { username: "ben", insight: 0.6 },
      { username: "cleo", insight: 0.5 },
    ],
  },
];

export const demoUpcoming = {
  slug: "quiz-night-8",
  name: "Quiz night no. 8",
  blueprint: "Quiz night",
  startsInDays: 1,
  startHourUtc: 19,
} as const;

/** A private session that is planned too. Its code lets everybody in who types it; its guests have joined already, and a player hosts it. */
export const demoPrivate = {
  slug: "garden-party",
  name: "Ana's garden party",
  blueprint: "Office Friday",
  startsInDays: 2,
  startHourUtc: 17,
  joinCode: "PARTY7",
  /** Its logo is in garden-logo.ts. */
  accent: "#2f7d4f",
  sponsor: "With thanks to the Corner Bakery",
  guests: ["ana"],
  host: "cleo",
} as const;

/** A session that runs beside the rehearsal, with questions that are open for days. Robots have called them. */
export const demoForDays = {
  slug: "match-day-picks",
  name: "Match day picks",
  blueprint: "Match day picks",
} as const;
