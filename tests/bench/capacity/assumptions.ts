import * as v from "valibot";

const positive = (fallback: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform(Number),
      v.check((number) => number > 0, "needs a positive number"),
    ),
    String(fallback),
  );

const schema = v.strictObject({
  liveShare: positive(0.1),
  callsPerEvent: positive(0.6),
  eventsPerHour: positive(30),
  openSeconds: positive(45),
  peakFactor: positive(3),
  pagesPerHour: positive(6),
  arrivalSeconds: positive(300),
  paidWithinSeconds: positive(60),
  showHoursPerDay: positive(3),
  newPlayerShare: positive(0.1),
  firstVisitShare: positive(0.2),
  cores: positive(8),
  memoryGb: positive(32),
  networkGbit: positive(10),
  diskMbPerSecond: positive(200),
  databaseConnections: positive(500),
  utilisation: positive(0.6),
});
/** What the model assumes about the players and the machines. `assumptionTexts` says what each one is, and its unit. */
export type Assumptions = v.InferOutput<typeof schema>;

/** The unit of each assumption, and what it is about. */
export const assumptionTexts: Record<keyof Assumptions, readonly [unit: string, about: string]> = {
  liveShare: ["of all players", "are live at the same time, in one session"],
  callsPerEvent: ["calls", "of a live player on an event"],
  eventsPerHour: ["events", "an hour of show"],
  openSeconds: ["s", "an event takes calls"],
  peakFactor: ["x", "the busiest second to the mean, of calls and pages"],
  pagesPerHour: ["pages", "that a live player opens in an hour"],
  arrivalSeconds: ["s", "in which all of them come to a show"],
  paidWithinSeconds: ["s", "in which a result should be paid and seen"],
  showHoursPerDay: ["h", "of show a day, on 30 days a month"],
  newPlayerShare: ["of all players", "are new in a month"],
  firstVisitShare: ["of pages", "are first visits, with all files"],
  cores: ["cores", "of a machine, each as fast as one of the measured machine"],
  memoryGb: ["GB", "of memory of a machine"],
  networkGbit: ["Gbit/s", "that a machine can send"],
  diskMbPerSecond: ["MB/s", "of its log that the database's disk takes"],
  databaseConnections: ["connections", "that Postgres takes: its max_connections, which is 100 by default"],
  utilisation: ["of a resource", "may be used at the peak"],
};

/** The flag of an assumption: `--live-share`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Reads the flags: `--live-share=0.2`. What is not given has its default.
 * @throws for an unknown flag, and for a value that is no positive number.
 */
export function readAssumptions(flags: readonly string[]): Assumptions {
  const given = flags.map((flag) => {
    const [name = "", value = ""] = flag.replace(/^--/, "").split("=");
    return [name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), value] as const;
  });
  const result = v.safeParse(schema, Object.fromEntries(given));
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`${flagOf(v.getDotPath(issue) ?? "")}: ${issue.message}`);
}
