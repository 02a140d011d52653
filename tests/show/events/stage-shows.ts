import { asc, isNotNull } from "drizzle-orm";
import type { StartMode } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import type { SessionSettings } from "#src/show/sessions/schemas.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { buildDraft, buildSession } from "#tests/support/build.ts";
import { stopClockAt } from "#tests/support/database.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import type { World } from "#tests/support/world.ts";

const START_MS = Date.parse("2026-11-21T20:00:00.000Z");
const WAIT_S = 8;

/** The time this many seconds after the start of a show. */
export const inSeconds = (seconds: number) => new Date(START_MS + seconds * 1_000);
export const secondsOf = (moment: Date | null) =>
  moment === null ? null : (moment.getTime() - START_MS) / 1_000;

/** The start mode of each event; the wait is 8 s by default. */
type Modes = readonly (StartMode | readonly [StartMode, waitSeconds: number])[];

/** Builds and plays shows on a clock that stands at their start. An admin runs them. */
export async function stageShows({ deps, build, by, read }: World) {
  const admin = await build.admin();
  const host = by(admin);
  const clockAt = (seconds: number) => stopClockAt(deps.pool, inSeconds(seconds));
  return {
    admin,
    clockAt,
    runOf: read.events,
    host,
    resolve: (eventId: number, result: "true" | "void" = "true") =>
      host.resolve(eventId, result, { reason: "Seen." }),
    /** A running session whose events are open for 20 s and are shown 5 s before. */
    buildShow: (modes: Modes, settings: Partial<SessionSettings> = { settlementDelaySeconds: 0 }) =>
      buildShow(deps, { modes, settings, actor: admin }),
    /** When each event opens, in seconds after the start; null: that is not known. */
    opensIn: async (sessionId: number) =>
      (await read.events(sessionId)).map(({ opensAt }) => secondsOf(opensAt)),
    /** The next timed transition of each event, and when it is due. */
    nextOf: async (sessionId: number) =>
      (await read.events(sessionId)).map(({ nextTransition, dueAt }) => [nextTransition, secondsOf(dueAt)]),
    /** Performs all that is due until the moment, each at its time. */
    runUntil: async (seconds: number) => {
      for (let next = await findDue(deps); next !== null; next = await findDue(deps)) {
        if (next.dueSeconds > seconds) break;
        await clockAt(next.dueSeconds);
        await performTransition(deps, next.alarm);
      }
      await clockAt(seconds);
    },
  };
}

type Plan = { modes: Modes; settings: Partial<SessionSettings>; actor: { id: number } };

async function buildShow(deps: TestDeps, { modes, settings, actor }: Plan) {
  const { id: sessionId } = await buildSession(deps, { settings });
  const ids: number[] = [];
  for (const [index, mode] of modes.entries()) {
    const [startMode, offsetSeconds] = typeof mode === "string" ? ([mode, WAIT_S] as const) : mode;
    const terms = { sessionId, startMode, offsetSeconds, durationSeconds: 20, leadSeconds: 5 };
    ids.push((await buildDraft(deps, { ...terms, position: index + 1 })).id);
  }
  await startSession(deps, { sessionId, actor });
  const [a = 0, b = 0, c = 0] = ids;
  return { sessionId, order: { sessionId, actor }, a, b, c };
}

async function findDue({ pool }: TestDeps) {
  const [event] = await pool.db
    .select()
    .from(events)
    .where(isNotNull(events.dueAt))
    .orderBy(asc(events.dueAt), asc(events.id))
    .limit(1);
  const dueSeconds = secondsOf(event?.dueAt ?? null);
  if (event === undefined || event.nextTransition === null || dueSeconds === null) return null;
  const alarm = { eventId: event.id, transition: event.nextTransition, version: event.scheduleVersion };
  return { dueSeconds, alarm };
}
