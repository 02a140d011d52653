import { expect } from "bun:test";
import type { PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { EventResult, EventState } from "#db/lists/events.ts";
import type { Actor } from "#src/base/audit.ts";
import { Refusal } from "#src/base/refusal.ts";
import { createServer } from "#src/server.ts";
import { advanceEvent, delayEvent } from "#src/show/events/advance-event.ts";
import { destroyEvent, hideEvent, showHiddenEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { openEvent, publishEvent } from "#src/show/events/open-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent, type Verdict, withdrawResult } from "#src/show/events/resolve-event.ts";
import type { UpdateEventBody } from "#src/show/events/schemas.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { startSession, takeBackStart } from "#src/show/sessions/start-session.ts";
import { stopSession, takeBackStop } from "#src/show/sessions/stop-session.ts";
import { listDifferences, readWallet } from "./books.ts";
import {
  type BuiltUser,
  buildAdmin,
  buildBlueprint,
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
  readEvent,
  readSession,
  readSpots,
} from "./build.ts";
import { signedInClient, signedOutClient, signInDirectly } from "./client.ts";
import { digestTables } from "./database-digest.ts";
import { payInParts, runClock, stopClockAt } from "./database.ts";
import { type TestDeps, testDeps } from "./deps.ts";
import { payNow, resolveAndPay } from "./pay.ts";
import { auditLines, eventsOf, lastAuditLine, readRow, setRows, toldTo, type Which } from "./rows.ts";

/** Expects a refusal and returns it. Success and any other error fail the test. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const outcome: unknown = await work.then(
    (value) => ({ succeeded: value }),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Refusal);
  if (!(outcome instanceof Refusal)) throw new Error("not refused");
  return outcome;
}

/** What a test file plays in: a fresh database and Redis, and what it builds, does and reads there. */
export type World = ReturnType<typeof worldOf>;

/** The world of this test file. The parameters are those of `testDeps`. */
export async function testWorld(...options: Parameters<typeof testDeps>) {
  return worldOf(await testDeps(...options));
}

/** The same for dependencies that a test has built itself. */
export function worldOf(deps: TestDeps) {
  const { db } = deps.pool;
  let made: ReturnType<typeof createServer> | undefined;
  const serverOf = () => (made ??= createServer(deps));
  const by = (actor: Actor) => handOf(deps, actor);
  /** Runs what must change no row of any table. Returns what it returns. */
  const unchanged = async <Outcome>(work: () => Promise<Outcome>): Promise<Outcome> => {
    const before = await digestTables(db);
    const outcome = await work();
    expect(await digestTables(db)).toBe(before);
    return outcome;
  };
  /** A client of a user who is signed in; without one it is signed out. */
  const client = (user?: { id: number }) =>
    user === undefined ? signedOutClient(serverOf()) : signedInClient(deps, serverOf(), user);
  const withClient = async (user: BuiltUser) => [user, await client(user)] as const;
  return {
    deps,
    db,
    by,
    timer: by(null),
    build: buildersOf(deps),
    read: readersOf(deps),
    /** Sets columns of rows; see setRows. */
    set: <Table extends PgTable>(table: Table, which: Which, values: PgUpdateSetSource<Table>) =>
      setRows(db, table, which, values),
    stopClockAt: (moment: Date) => stopClockAt(deps.pool, moment),
    runClock: (options?: Parameters<typeof runClock>[1]) => runClock(deps.pool, options),
    payInParts: (plan?: Parameters<typeof payInParts>[1]) => payInParts(deps.pool, plan),
    unchanged,
    /** Expects a refusal that changes no row of any table. Returns it. */
    refused: (work: () => Promise<unknown>) => unchanged(() => refusalOf(work())),
    /** The server, which is made when it is first read. */
    get server() {
      return serverOf();
    },
    client,
    /** The headers that a signed-in browser would send. */
    signIn: (user: { id: number }) => signInDirectly(deps, user),
    signedIn: {
      player: async (terms?: Parameters<typeof buildPlayer>[1]) => withClient(await buildPlayer(deps, terms)),
      admin: async () => withClient(await buildAdmin(deps)),
    },
  };
}

function buildersOf(deps: TestDeps) {
  return {
    player: (terms?: Parameters<typeof buildPlayer>[1]) => buildPlayer(deps, terms),
    admin: () => buildAdmin(deps),
    session: (terms?: Parameters<typeof buildSession>[1]) => buildSession(deps, terms),
    runningSession: (terms?: Parameters<typeof buildRunningSession>[1]) => buildRunningSession(deps, terms),
    draft: (terms?: Parameters<typeof buildDraft>[1]) => buildDraft(deps, terms),
    event: (state: EventState, terms?: Parameters<typeof buildEvent>[2]) => buildEvent(deps, state, terms),
    openShow: async (terms?: EventTerms, ofSession?: Parameters<typeof buildRunningSession>[1]) => {
      const session = await buildRunningSession(deps, ofSession);
      return { session, event: await buildEvent(deps, "open", { sessionId: session.id, ...terms }) };
    },
    call: (terms: Parameters<typeof buildCall>[1]) => buildCall(deps, terms),
    blueprint: (...terms: BlueprintTerms) => buildBlueprint(deps, ...terms),
  };
}
type EventTerms = Parameters<typeof buildEvent>[2];
type BlueprintTerms = Parameters<typeof buildBlueprint> extends [unknown, ...infer Terms] ? Terms : never;

function readersOf(deps: TestDeps) {
  const { db } = deps.pool;
  return {
    /** The only row of a table that is meant; see readRow. */
    row: <Table extends PgTable>(table: Table, which?: Which) => readRow(db, table, which),
    event: (eventId: number) => readEvent(deps, eventId),
    events: (sessionId: number) => eventsOf(db, sessionId),
    session: (sessionId: number) => readSession(deps, sessionId),
    spots: (eventId: number) => readSpots(deps, eventId),
    wallet: (userId: number) => readWallet(db, userId),
    /** What a player has, in cents, without what active calls hold. */
    balance: async (userId: number) => (await readWallet(db, userId)).postedCents,
    audit: (wanted: Parameters<typeof auditLines>[1] = {}) => auditLines(db, wanted),
    lastAudit: () => lastAuditLine(db),
    /** Equal if no row of any table has changed. */
    digest: () => digestTables(db),
    differences: () => listDifferences(db),
    told: (userId: number) => toldTo(db, userId),
  };
}

/** What a person does to events and sessions with the product's verbs; null: what a timer does. */
function handOf(deps: TestDeps, actor: Actor) {
  const event = (eventId: number, reason?: string) => ({
    eventId,
    actor,
    ...(reason === undefined ? {} : { reason }),
  });
  const session = (sessionId: number) => ({ sessionId, actor });
  const verdict = (eventId: number, result: EventResult, terms: Omit<Verdict, "result">) => ({
    ...event(eventId),
    result,
    ...terms,
  });
  return {
    publish: (id: number) => publishEvent(deps, event(id)),
    open: (id: number) => openEvent(deps, event(id)),
    close: (id: number) => closeEvent(deps, event(id)),
    resolve: (id: number, result: EventResult = "true", terms: Omit<Verdict, "result"> = {}) =>
      resolveEvent(deps, verdict(id, result, terms)),
    settle: (id: number, result: EventResult = "true", terms: Omit<Verdict, "result"> = {}) =>
      resolveAndPay(deps, verdict(id, result, terms)),
    withdraw: (id: number, reason?: string) => withdrawResult(deps, event(id, reason)),
    reset: (id: number, reason?: string) => resetEvent(deps, event(id, reason)),
    hide: (id: number, reason?: string) => hideEvent(deps, event(id, reason)),
    unhide: (id: number) => showHiddenEvent(deps, event(id)),
    destroy: (id: number) => destroyEvent(deps, event(id)),
    update: (id: number, changes: UpdateEventBody) => updateEvent(deps, { ...event(id), changes }),
    advance: (id: number) => advanceEvent(deps, event(id)),
    skip: (id: number, reason?: string) => skipEvent(deps, event(id, reason)),
    delay: (id: number, seconds: number) => delayEvent(deps, { ...event(id), seconds }),
    start: (id: number) => startSession(deps, session(id)),
    pause: (id: number) => pauseSession(deps, session(id)),
    resume: (id: number) => resumeSession(deps, session(id)),
    stop: (id: number) => stopSession(deps, session(id)),
    takeBackStart: (id: number) => takeBackStart(deps, session(id)),
    takeBackStop: (id: number) => takeBackStop(deps, session(id)),
    pay: (...ids: number[]) => payNow(deps, ...ids),
  };
}
