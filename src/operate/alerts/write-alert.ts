import { checkTitles } from "#src/operate/checks/contract.ts";
import type { Trouble } from "#src/operate/checks/noted-checks.ts";
import type { Env } from "#src/settings/env.ts";
import type { Alert } from "./send-alert.ts";
import type { Fault } from "./told-faults.ts";

const MINUTE_MS = 60_000;
const TO_THE_SECOND = { dateStyle: "short", timeStyle: "medium" } as const;
const LINES_MAX = 20;
/** Of each kind of fault. */
const TIMES_MAX = 5;

const titleOf = (what: string) => checkTitles[what] ?? what;
const titlesOf = (troubles: readonly Trouble[]) => [...new Set(troubles.map(({ what }) => titleOf(what)))];

/** Writes alerts, which name the host of the product and its times in a zone. */
export function alertWriter({ publicUrl, alertsQuiet }: Pick<Env, "publicUrl" | "alertsQuiet">) {
  const zone = alertsQuiet?.zone ?? "UTC";
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, ...TO_THE_SECOND });
  const at = (ms: number) => `${format.format(ms)} ${zone}`;
  const about = (text: string) => `${new URL(publicUrl).host}: ${text}`;
  return {
    /** @param effects what follows from it. */
    began: (troubles: readonly Trouble[], effects: readonly Trouble[]): Alert => {
      const [{ what, detail, cure } = { what: "", detail: null, cure: "" }] = troubles;
      const sinceMs = Math.min(...troubles.map(({ since }) => since.getTime()));
      const processes = troubles.map(({ process }) => process).filter((name) => name !== "");
      const seenBy = processes.length === 0 ? "" : ` Seen by ${processes.join(", ")}.`;
      const repeats = ["", titleOf(what).toLowerCase()];
      const said = (detail ?? "").split("\n").filter((line) => !repeats.includes(line.toLowerCase()));
      const follows = titlesOf(effects).join("; ");
      return {
        subject: about(titleOf(what)),
        paragraphs: [
          `${titleOf(what)}.`,
          ...said,
          cure,
          `Since ${at(sinceMs)}.${seenBy}`,
          ...(follows === "" ? [] : [`What follows from it: ${follows}.`]),
        ],
      };
    },
    ended: ({ what, sinceMs, seenAtMs }: Fault): Alert => ({
      subject: about(`over after ${lasting(seenAtMs - sinceMs)}: ${titleOf(what)}`),
      paragraphs: [`It was so from ${at(sinceMs)} to ${at(seenAtMs)}.`],
    }),
    /** @param subjects of the alerts that were not sent. */
    withheld: (subjects: readonly string[]): Alert => ({
      subject: about(`${subjects.length} more alerts within an hour`),
      paragraphs: ["They were not sent one by one:", ...subjects.slice(-LINES_MAX)],
    }),
    /** What is said once a day. */
    alive: (now: readonly Trouble[], past: readonly (Trouble & { endedAt: Date | null })[]): Alert => {
      const times = ({ since, endedAt }: (typeof past)[number]) =>
        `from ${at(Number(since))} to ${at(Number(endedAt))}`;
      const lines = [...Map.groupBy(past, ({ what }) => what)].map(
        ([what, all]) => `${titleOf(what)}: ${all.map(times).slice(0, TIMES_MAX).join(", ")}.`,
      );
      const wrong = titlesOf(now).map((title) => `${title}.`);
      return {
        subject: about(wrong.length === 0 ? "all is well" : `${wrong.length} wrong now`),
        paragraphs: [
          ...(wrong.length === 0 ? ["All is well, and alerts arrive."] : wrong),
          ...(lines.length === 0 ? ["Nothing was wrong in the last day."] : ["In the last day:"]),
          ...lines.slice(0, LINES_MAX),
        ],
      };
    },
    test: (): Alert => ({
      subject: about("alerts arrive here"),
      paragraphs: ["This is a test. What is wrong, and its end, will be told here."],
    }),
  };
}

/** "47 s", "12 min" */
const lasting = (ms: number) =>
  ms < 2 * MINUTE_MS ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / MINUTE_MS)} min`;
