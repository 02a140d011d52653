import { asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { connect, inTransaction } from "#db/client.ts";
import { events, spots } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { seasons } from "#db/schema/seasons.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { demoLines } from "#db/seeds/chat.ts";
import { gardenLogo } from "#db/seeds/garden-logo.ts";
import { demoForDays, type DemoHistory, demoHistory, demoPrivate, demoUpcoming } from "#db/seeds/history.ts";
import { demoPayer, demoRobots } from "#db/seeds/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { createRandom, type Random } from "#src/base/random.ts";
import { unrefused } from "#src/base/refusal.ts";
import { createPayment } from "#src/money/payments/create-payment.ts";
import { endTestCheckout } from "#src/money/payments/receive-webhook.ts";
import { storePicture } from "#src/people/pictures/store-picture.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { createMessage } from "#src/play/chat/create-message.ts";
import { createSeason } from "#src/play/seasons/manage-seasons.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { attachLogo, mergeBrand } from "#src/show/brands/change-brand.ts";
import { logoKind } from "#src/show/brands/show-logo.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { openEvent, publishEvent } from "#src/show/events/open-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { addSessionHost } from "#src/show/session-hosts/manage-session-hosts.ts";
import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { findBlueprintId, seedBlueprints } from "./seed-blueprints.ts";
import { inPast, type Past, seedPlayers } from "./seed-players.ts";

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;

const MESSAGES_MAX = 2;
const MESSAGE_EVERY_MS = 4 * SECOND_MS;

const LEAD_SECONDS = 10;
const JUDGING_SECONDS = 25;
const PAUSE_SECONDS = 15;
/** The calls on an event are placed in so many bursts, each at one time. */
const BURSTS = 4;
const ROBOTS_AT_EVENT = 0.5;

const oppositeOf = (side: Side): Side => (side === "true" ? "false" : "true");

/** An advisory lock: processes seed one after the other. */
const SEED_LOCK = 7704;

const DAY_MS = 86_400_000;

/**
 * Fills the database with the demo's users, robots, blueprints, past sessions, the upcoming one and seasons. Existing rows stay as
 * they are; seeding again changes nothing.
 */
export async function seedDemo(deps: Deps): Promise<void> {
  const now = new Date();
  await using pool = connect(deps.env.ownerDatabaseUrl, { poolSize: 1 });
  const past = inPast(deps, pool);
  await pool.sql`SELECT pg_advisory_lock(${SEED_LOCK}::int)`;
  const [session] = await pool.db.select({ id: sessions.id }).from(sessions).limit(1);
  await seedPlayers(past, now);
  await seedBlueprints(past.deps);
  await seedHistory(past, now);
  await seedSeasons(past, now);
  await seedDeposit(past, now);
  if (session === undefined) await markFactsSent(past);
}

/** In a new database no client waits for the facts of the past, so they are not broadcast. */
async function markFactsSent({ pool }: Past): Promise<void> {
  await pool.db.update(outbox).set({ sentAt: new Date() }).where(isNull(outbox.sentAt));
}

/** The seasons of the demo, in days from now: one that has ended, with a podium, and the one that runs. */
const demoSeasons = [
  { name: "Season one", fromDay: -30, untilDay: -2 },
  { name: "Season two", fromDay: -2, untilDay: 60 },
] as const;

/** Names the demo's seasons, unless there is one: they are in days from now, and would overlap. */
async function seedSeasons(past: Past, now: Date): Promise<void> {
  if ((await past.pool.db.$count(seasons)) > 0) return;
  const today = Math.floor(now.getTime() / DAY_MS);
  const atDay = (day: number) => new Date((today + day) * DAY_MS);
  for (const { name, fromDay, untilDay } of demoSeasons)
    await createSeason(past.deps, { name, startsAt: atDay(fromDay), endsAt: atDay(untilDay), actor: null });
}

/** Somebody has paid in, by the test provider, so that there is something to state and to give back. */
async function seedDeposit(past: Past, now: Date): Promise<void> {
  if (past.deps.env.payments.provider !== "test") return;
  const [viewer] = await past.pool.db.select().from(users).where(eq(users.username, demoPayer));
  if (viewer === undefined) return;
  await past.setClock(now);
  const order = { viewer, amountCents: 2_000, idempotencyKey: "demo" };
  const { payment } = await createPayment(past.deps, order);
  if (payment.state === "pending") await endTestCheckout(past.deps, { payment, outcome: "succeeded" });
}

type Side = "true" | "false";
type PastEvent = {
  id: number;
  durationSeconds: number;
  spotIds: Record<Side, number>;
  result: Side | "void";
};
type PastPlayer = { id: number; insight: number; wagerMaxDollars: number };

/** Plays the past sessions that do not exist yet, through the verbs, and creates the upcoming ones. */
async function seedHistory(past: Past, now: Date): Promise<void> {
  for (const history of demoHistory) {
    const startsAt = atHour(now, -history.daysAgo, history.startHourUtc);
    const session = await createSession(past, { ...history, startsAt });
    if (session !== null) await playSession(past, { sessionId: session.id, startsAt, history });
  }
  const startsAt = atHour(now, demoUpcoming.startsInDays, demoUpcoming.startHourUtc);
  await createSession(past, { ...demoUpcoming, startsAt, createdAt: now });
  await seedPrivate(past, now);
  await seedForDays(past, now);
}

/** The active flag stays with the rehearsal. */
async function seedForDays(past: Past, now: Date): Promise<void> {
  const session = await createSession(past, { ...demoForDays, startsAt: now, createdAt: now });
  if (session === null) return;
  const order = { sessionId: session.id, actor: null };
  const { active } = await startSession(past.deps, order);
  if (active) await deactivateSession(past.deps, order);
  const dice = createRandom(demoForDays.slug);
  const players = await findPlayers(past, { slug: demoForDays.slug, players: [] });
  for (const event of await findPastEvents(past, session.id, "")) {
    await publishEvent(past.deps, { eventId: event.id, actor: null });
    await openEvent(past.deps, { eventId: event.id, actor: null });
    for (const player of players) await placePastCall(past, { event, player, dice });
  }
}

async function seedPrivate(past: Past, now: Date): Promise<void> {
  const { joinCode, accent, sponsor, guests, host, startsInDays, startHourUtc, ...plan } = demoPrivate;
  const startsAt = atHour(now, startsInDays, startHourUtc);
  const session = await createSession(past, { ...plan, startsAt, createdAt: now });
  if (session === null) return;
  const { db } = past.pool;
  const logo = await storePicture(past.deps, logoKind, { bytes: Buffer.from(gardenLogo) });
  const brand = mergeBrand(undefined, { accent, sponsor, logo });
  await inTransaction(db, (tx) => attachLogo(tx, { logo }));
  const settings = sql`${sessions.settings} || ${JSON.stringify({ private: true, brand })}::text::jsonb`;
  await db.update(sessions).set({ settings, joinCode }).where(eq(sessions.id, session.id));
  const invited = await db
    .select()
    .from(users)
    .where(inArray(users.username, [...guests]));
  for (const { id: userId, username } of invited)
    await db.insert(registrations).values({ sessionId: session.id, userId, displayName: username });
  const [admin] = await db.select().from(userRoles).where(eq(userRoles.role, "admin")).limit(1);
  if (admin !== undefined)
    await addSessionHost(past.deps, { sessionId: session.id, actor: { id: admin.userId }, user: host });
}

function atHour(now: Date, days: number, hourUtc: number): Date {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return new Date(midnight + days * DAY_MS + hourUtc * HOUR_MS);
}

/** Creates a pending session; null if it exists already or its blueprint was deleted. */
async function createSession(
  past: Past,
  plan: { slug: string; name: string; blueprint: string; startsAt: Date; createdAt?: Date },
) {
  const { db } = past.pool;
  const [existing] = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.slug, plan.slug));
  const blueprintId = await findBlueprintId(db, plan.blueprint);
  if (existing !== undefined || blueprintId === null) return null;
  const createdAt = plan.createdAt ?? new Date(plan.startsAt.getTime() - HOUR_MS);
  await past.setClock(createdAt);
  const { slug, name, startsAt } = plan;
  const session = await generateSession(past.deps, { blueprintId, slug, name, startsAt });
  await db.update(sessions).set({ createdAt }).where(eq(sessions.id, session.id));
  await db.update(events).set({ createdAt }).where(eq(events.sessionId, session.id));
  return session;
}

async function playSession(
  past: Past,
  { sessionId, startsAt, history }: { sessionId: number; startsAt: Date; history: DemoHistory },
): Promise<void> {
  const dice = createRandom(history.slug);
  const players = await findPlayers(past, history);
  const pastEvents = await findPastEvents(past, sessionId, history.results);
  await past.setClock(startsAt);
  await startSession(past.deps, { sessionId, actor: null });
  let atMs = startsAt.getTime() + PAUSE_SECONDS * SECOND_MS;
  const chatDice = createRandom(`chat of ${history.slug}`);
  for (const event of pastEvents) {
    atMs = await playEvent(past, { event, players, dice, atMs });
    const endedAtMs = atMs - PAUSE_SECONDS * SECOND_MS;
    await chatInPast(past, { sessionId, eventId: event.id, players, dice: chatDice, atMs: endedAtMs });
  }
  await past.setClock(new Date(atMs));
  await stopSession(past.deps, { sessionId, actor: null });
}

/** Plays one event from its publishing to its result. @returns when the next one may start, in ms since 1970. */
async function playEvent(
  past: Past,
  { event, players, dice, atMs }: { event: PastEvent; players: PastPlayer[]; dice: Random; atMs: number },
): Promise<number> {
  const order = { eventId: event.id, actor: null };
  const opensAtMs = atMs + LEAD_SECONDS * SECOND_MS;
  const closesAtMs = opensAtMs + event.durationSeconds * SECOND_MS;
  const resolvedAtMs = closesAtMs + JUDGING_SECONDS * SECOND_MS;
  await past.setClock(new Date(atMs));
  await publishEvent(past.deps, order);
  await past.setClock(new Date(opensAtMs));
  await openEvent(past.deps, order);
  for (let burst = 1; burst <= BURSTS; burst++) {
    const share = (burst - dice.roll()) / BURSTS;
    await past.setClock(new Date(opensAtMs + share * (closesAtMs - opensAtMs)));
    const callers = players.filter((_, index) => index % BURSTS === burst - 1 && dice.chance(0.9));
    await Promise.all(callers.map((player) => placePastCall(past, { event, player, dice })));
  }
  await past.setClock(new Date(closesAtMs));
  await closeEvent(past.deps, order);
  await past.setClock(new Date(resolvedAtMs));
  const reason = event.result === "void" ? "Nobody could see it" : null;
  await resolveEvent(past.deps, { ...order, result: event.result, reason });
  await paySettlement(past.deps, event.id, { budgetMs: Number.POSITIVE_INFINITY });
  return resolvedAtMs + PAUSE_SECONDS * SECOND_MS;
}

async function placePastCall(
  past: Past,
  { event, player, dice }: { event: PastEvent; player: PastPlayer; dice: Random },
): Promise<void> {
  const truth = event.result === "void" ? "true" : event.result;
  const side = dice.chance(player.insight) ? truth : oppositeOf(truth);
  const wagerCents = dice.between(1, player.wagerMaxDollars) * 100;
  const call = { viewer: { id: player.id }, spotId: event.spotIds[side], wagerCents };
  const idempotencyKey = `history-${event.id}-${dice.between(1, 1e9)}`;
  // A player without enough money does not call this event.
  await unrefused(placeCall(past.deps, { ...call, idempotencyKey }));
}

/** The players of the history, and about half of the robots. */
async function findPlayers(
  { pool }: Past,
  history: Pick<DemoHistory, "slug" | "players">,
): Promise<PastPlayer[]> {
  const rows = await pool.db.select({ id: users.id, username: users.username }).from(users);
  const ids = new Map(rows.map((row) => [row.username, row.id]));
  const dice = createRandom(`robots of ${history.slug}`);
  const robots = demoRobots
    .filter(() => dice.chance(ROBOTS_AT_EVENT))
    .map(({ username, wagerMaxDollars }) => ({ username, wagerMaxDollars, insight: 0.5 }));
  const people = history.players.map((player) => ({ ...player, wagerMaxDollars: 5 }));
  return [...robots, ...people].flatMap(({ username, ...player }) => {
    const id = ids.get(username);
    return id === undefined ? [] : [{ ...player, id }];
  });
}

async function findPastEvents({ pool }: Past, sessionId: number, results: string): Promise<PastEvent[]> {
  const rows = await pool.db
    .select({ id: events.id, durationSeconds: events.durationSeconds, side: spots.side, spotId: spots.id })
    .from(events)
    .innerJoin(spots, eq(spots.eventId, events.id))
    .where(eq(events.sessionId, sessionId))
    .orderBy(asc(events.position), asc(events.id));
  const byEvent = Map.groupBy(rows, (row) => row.id);
  return [...byEvent.values()].flatMap((both, index) => {
    const [yes, no] = [both.find((row) => row.side === "true"), both.find((row) => row.side === "false")];
    if (yes === undefined || no === undefined) return [];
    const spotIds = { true: yes.spotId, false: no.spotId };
    return [{ id: yes.id, durationSeconds: yes.durationSeconds, spotIds, result: resultAt(results, index) }];
  });
}

function resultAt(results: string, index: number): PastEvent["result"] {
  const letter = results[index];
  if (letter === "t") return "true";
  return letter === "f" ? "false" : "void";
}

type PastChat = {
  sessionId: number;
  eventId: number;
  players: readonly { id: number }[];
  dice: Random;
  atMs: number;
};

/** Some players send a chat message about an event that has just ended, within ten seconds. */
async function chatInPast(past: Past, { sessionId, eventId, players, dice, atMs }: PastChat): Promise<void> {
  const messagesCount = dice.between(0, MESSAGES_MAX);
  const first = dice.between(0, demoLines.length - 1);
  for (let nth = 1; nth <= messagesCount; nth += 1) {
    const player = players[dice.between(0, players.length - 1)];
    const body = demoLines[(first + nth) % demoLines.length];
    if (player === undefined || body === undefined) return;
    await past.setClock(new Date(atMs + nth * MESSAGE_EVERY_MS));
    await createMessage(past.deps, {
      viewer: { id: player.id, guest: false, roles: [], hostOf: [] },
      sessionId: String(sessionId),
      body,
      clientId: `history-${eventId}-${nth}`,
    });
  }
}
