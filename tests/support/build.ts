import { eq } from "drizzle-orm";
import { openWallet } from "#db/ledger/grant-play-money.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import type { EventState } from "#db/lists/events.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { userRoles, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { whenFree } from "#src/play/calls/when-free.ts";
import { destroyEvent, hideEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { openEvent, publishEvent } from "#src/show/events/open-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import type { SessionSettings } from "#src/show/sessions/schemas.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { giveMoney } from "./give-money.ts";
import { resolveAndPay } from "./pay.ts";

// Each builder creates only the rows that it needs. States are reached by the product's verbs.

let lastNumber = 0;
const nextNumber = () => ++lastNumber;

/** The first and only row of an insert. */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}

export type BuiltUser = typeof users.$inferSelect;

/** A player with a wallet of play money. */
export async function buildPlayer(
  { pool }: Pick<Deps, "pool">,
  { balanceCents = 10_000 }: { balanceCents?: number } = {},
): Promise<BuiltUser> {
  const username = `player_${nextNumber()}`;
  const user = only(
    await pool.db
      .insert(users)
      .values({ username, email: `${username}@example.test`, confirmedAt: new Date() })
      .returning(),
  );
  await openWallet(pool.db, user.id);
  await giveMoney(pool.db, user.id, balanceCents);
  return user;
}

export async function buildAdmin(deps: Pick<Deps, "pool">): Promise<BuiltUser> {
  const user = await buildPlayer(deps);
  await deps.pool.db.insert(userRoles).values({ userId: user.id, role: "admin" });
  return user;
}

type SessionTerms = Partial<Pick<typeof sessions.$inferInsert, "name" | "slug" | "rehearsal">> & {
  settings?: Partial<SessionSettings>;
};

/** Results are paid at once, unless a test is about the delay. */
const noDelay = { settlementDelaySeconds: 0 } satisfies Partial<SessionSettings>;

/** A pending session without events, in which results are paid at once. */
export async function buildSession(
  { pool }: Pick<Deps, "pool">,
  { settings, ...terms }: SessionTerms = {},
): Promise<SessionRow> {
  const number = nextNumber();
  return only(
    await pool.db
      .insert(sessions)
      .values({
        slug: `session-${number}-a`,
        name: `Session ${number}`,
        settings: { ...noDelay, ...settings },
        ...terms,
      })
      .returning(),
  );
}

/** A running session with one event that opens in an hour. */
export async function buildRunningSession(deps: Deps, terms: SessionTerms = {}): Promise<SessionRow> {
  const session = await buildSession(deps, terms);
  await buildDraft(deps, { sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 });
  return startSession(deps, { sessionId: session.id, actor: null });
}

type EventTerms = Partial<Omit<typeof events.$inferInsert, "state" | "round" | "result">>;

/** A draft with its two spots. */
export async function buildDraft({ pool }: Pick<Deps, "pool">, terms: EventTerms = {}): Promise<EventRow> {
  const event = only(
    await pool.db
      .insert(events)
      .values({ title: `Will it happen ${nextNumber()}?`, ...terms })
      .returning(),
  );
  await pool.db.insert(spots).values([
    { eventId: event.id, side: "true" },
    { eventId: event.id, side: "false" },
  ]);
  return event;
}

/** No test is slower, however busy the machine is. */
const OPEN_FOR_S = 1_200;

/** An event in a state, reached by the verbs. An open one stays open; a resolved one has the result true. */
export async function buildEvent(deps: Deps, state: EventState, terms: EventTerms = {}): Promise<EventRow> {
  const { id: eventId } = await buildDraft(deps, { durationSeconds: OPEN_FOR_S, ...terms });
  const order = { eventId, actor: null };
  if (state === "soft_destroyed") return destroyEvent(deps, order);
  if (state !== "draft") await publishEvent(deps, order);
  if (state === "hidden") return hideEvent(deps, order);
  if (state === "open" || state === "closed" || state === "resolved") await openEvent(deps, order);
  if (state === "closed" || state === "resolved") await closeEvent(deps, order);
  if (state === "resolved") await resolveAndPay(deps, { ...order, result: "true" });
  return readEvent(deps, eventId);
}

export async function readEvent({ pool }: Pick<Deps, "pool">, eventId: number): Promise<EventRow> {
  return only(await pool.db.select().from(events).where(eq(events.id, eventId)));
}

export async function readSession({ pool }: Pick<Deps, "pool">, sessionId: number): Promise<SessionRow> {
  return only(await pool.db.select().from(sessions).where(eq(sessions.id, sessionId)));
}

/** The spots of an event by side. */
export async function readSpots({ pool }: Pick<Deps, "pool">, eventId: number) {
  const rows = await pool.db.select().from(spots).where(eq(spots.eventId, eventId));
  return {
    true: only(rows.filter((spot) => spot.side === "true")),
    false: only(rows.filter((spot) => spot.side === "false")),
  };
}

/** Places a call that must be accepted. Returns its id. */
export async function buildCall(
  deps: Pick<Deps, "pool">,
  { userId, eventId, side = "true", wagerCents = 100 }: BuildCall,
): Promise<number> {
  const spot = (await readSpots(deps, eventId))[side];
  const call = { userId, spotId: spot.id, wagerCents, idempotencyKey: `build-${nextNumber()}` };
  const placed = await whenFree(async () => {
    const one = only(await placeCalls(deps.pool, [call]));
    return one.code === "busy" ? null : one;
  });
  if (placed.code !== "placed" || placed.callId === null)
    throw new Error(`the call was not placed: ${placed.code}`);
  return placed.callId;
}
type BuildCall = { userId: number; eventId: number; side?: "true" | "false"; wagerCents?: number };

/** A blueprint with these questions, in order. In its sessions results are paid at once. */
export async function buildBlueprint(
  { pool }: Pick<Deps, "pool">,
  questions: readonly Partial<typeof blueprintEvents.$inferInsert>[] = [{}],
  { defaults, ...terms }: BlueprintTerms = {},
): Promise<typeof blueprints.$inferSelect> {
  const blueprint = only(
    await pool.db
      .insert(blueprints)
      .values({ name: `Blueprint ${nextNumber()}`, defaults: { ...noDelay, ...defaults }, ...terms })
      .returning(),
  );
  if (questions.length > 0) {
    await pool.db.insert(blueprintEvents).values(
      questions.map((question, index) => ({
        blueprintId: blueprint.id,
        position: index + 1,
        title: `Question ${index + 1}?`,
        ...question,
      })),
    );
  }
  return blueprint;
}
type BlueprintTerms = Partial<Omit<typeof blueprints.$inferInsert, "defaults">> & {
  defaults?: Partial<SessionSettings>;
};
