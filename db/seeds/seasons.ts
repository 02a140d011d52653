/** The seasons of the demo, in days from now: one that has ended, with a podium, and the one that runs. */
export const demoSeasons = [
  { name: "Season one", fromDay: -30, untilDay: -2 },
  { name: "Season two", fromDay: -2, untilDay: 60 },
] as const;
