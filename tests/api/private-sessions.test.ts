import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { settlements } from "#db/schema/ledger.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { removedPlayers } from "#db/schema/sessions.ts";
import { signIns } from "#db/schema/users.ts";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { bodySchema } from "#src/api/json-schemas.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { afterFile } from "#tests/support/after-file.ts";
import {
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
  readSpots,
} from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { type Happy, openFixture } from "./fixture.ts";
import { happy as happyOf } from "./happy.ts";
import { buildRequest, sendRequest } from "./send-request.ts";

// Who is not in a private session cannot find out that it exists: whatever names it, or something in it, is answered as what does not
// exist.

const fixture = await openFixture({ RATE_LIMITS: "off" });
const { deps } = fixture;
const { db } = deps.pool;
afterFile(() => deps.close());

/** What a request may name, by the part of a path before it and by its name in a query or a body. */
type Ids = { session: string | number; event: number; spot: number; message: number; decision: number };
const UNKNOWN = 999_999_999;
const unknown: Ids = { session: UNKNOWN, event: UNKNOWN, spot: UNKNOWN, message: UNKNOWN, decision: UNKNOWN };

const inPath: Record<string, keyof Ids> = {
  sessions: "session",
  events: "event",
  messages: "message",
  decisions: "decision",
};
const byName: Record<string, keyof Ids> = {
  session_id: "session",
  sessionId: "session",
  session: "session",
  event_id: "event",
  eventId: "event",
  spot_id: "spot",
  target_id: "session",
};

const states = ["planned", "running", "stopped"] as const;

/** A private session with a record of everything that a request can name. */
async function buildPrivate(state: (typeof states)[number]) {
  const settings = { private: true };
  const session =
    state === "planned"
      ? await buildSession(deps, { settings })
      : await buildRunningSession(deps, { settings });
  const { id: sessionId } = session;
  if (state === "planned")
    await db.execute(
      sql`UPDATE sessions SET starts_at = game_now() + interval '1 day' WHERE id = ${sessionId}`,
    );
  const event = await buildEvent(deps, state === "planned" ? "visible" : "resolved", { sessionId });
  const spots = await readSpots(deps, event.id);
  const message = await buildMessage(deps, { sessionId, userId: (await buildPlayer(deps)).id });
  const [decision] = await db.select().from(settlements);
  if (state === "stopped") await stopSession(deps, { sessionId, actor: null });
  return {
    session,
    state,
    ids: { event: event.id, spot: spots.true.id, message, decision: decision?.id ?? UNKNOWN },
  };
}

const host = await fixture.player();
const own = await buildRunningSession(deps);
await db.insert(sessionHosts).values({ sessionId: own.id, userId: host.id, madeById: fixture.admin.id });
const removed = await fixture.player();
// A sign-in that was seen a minute ago is updated, which would look like a change.
await db.update(signIns).set({ lastSeenAt: sql`clock_timestamp() + interval '1 hour'` });

/** The happy request, which names these instead. Null if it names nothing of a session. */
function naming({ endpoint: { route, query = {} } }: NamedEndpoint, happy: Happy, ids: Ids): Happy | null {
  const parts = route.split("/");
  const params = parts.flatMap((part, index) =>
    part.startsWith(":") ? named(part.slice(1), inPath[parts[index - 1] ?? ""], ids) : [],
  );
  const asks = Object.keys(query).flatMap((key) => named(key, byName[key], ids));
  const body = Object.fromEntries(
    Object.entries(happy.body ?? {}).map(([key, part]) => [key, namingIn(part, ids)]),
  );
  const isSame = params.length === 0 && asks.length === 0 && Bun.deepEquals(body, happy.body ?? {});
  if (isSame || happy.bytes !== undefined) return null;
  return {
    ...happy,
    params: { ...happy.params, ...Object.fromEntries(params) },
    query: { ...happy.query, ...Object.fromEntries(asks) },
    ...(happy.body === undefined ? {} : { body }),
  };
}

const named = (key: string, kind: keyof Ids | undefined, ids: Ids): [string, string | number][] =>
  kind === undefined ? [] : [[key, ids[kind]]];

/** The part of a body that names these. What is shared is a session. */
function namingIn(part: unknown, ids: Ids): unknown {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  const names = Object.keys(part).flatMap((key) => named(key, byName[key], ids));
  return { ...part, ...Object.fromEntries(names), ...("target_id" in part ? { kind: "session" } : {}) };
}

/** The answer without what differs from request to request. */
async function answerTo({ endpoint }: NamedEndpoint, happy: Happy): Promise<unknown> {
  const { status, body } = await sendRequest(fixture.server, buildRequest(endpoint, happy));
  const text = JSON.stringify(body).replaceAll(/"requestId":"[^"]*"/g, "");
  return { status, text: text.replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "") };
}

const outsiders = {
  "signed out": fixture.signedOut,
  guest: fixture.guest.browser,
  player: fixture.other.browser,
  "host of another session": host.browser,
  "removed player": removed.browser,
};
const places = await Promise.all(states.map(buildPrivate));
for (const { session } of places)
  await db
    .insert(removedPlayers)
    .values({ sessionId: session.id, userId: removed.id, joinCode: session.joinCode });

/** What each outsider may ask for in each session, by its id and its slug, beside what does not exist. */
const asked = Object.entries(outsiders).flatMap(([who, browser], outsider) =>
  places.flatMap(({ session, state, ids }, place) => [
    { who, browser, state, turn: outsider + place, there: { ...ids, session: session.id }, nowhere: unknown },
    {
      who,
      browser,
      state,
      turn: outsider + place + 1,
      there: { ...ids, session: session.slug },
      nowhere: { ...unknown, session: "none" },
    },
  ]),
);
/** Each day an endpoint is asked by all outsiders for sessions of all states, by the id or the slug in turns. */
const EVERY = roundsOf({ daily: 2, many: 1 });

/** In its path, its query or its body. The others need no happy request. */
function mayNameSession({ endpoint: { route, query = {}, body = {} } }: NamedEndpoint): boolean {
  const text = JSON.stringify(bodySchema(body));
  const [parts, names] = [Object.keys(inPath), Object.keys(byName)];
  return (
    parts.some((part) => route.includes(`/${part}/:`)) ||
    names.some((name) => name in query || text.includes(`"${name}"`))
  );
}

test.each(allEndpoints.filter(mayNameSession).map((named, turn) => [named.name, named, turn] as const))(
  "%s answers an outsider of a private session as if it did not exist, and nothing changes",
  async (_, named, turn) => {
    const happy = await happyOf[named.name]?.(fixture);
    if (happy === undefined || naming(named, happy, unknown) === null) return;
    const before = await digestTables(db);
    for (const { who, browser, state, there, nowhere } of asked.filter(
      (one) => (one.turn + turn) % EVERY === 0,
    )) {
      const request = naming(named, { ...happy, browser }, there);
      const vain = naming(named, { ...happy, browser }, nowhere);
      if (request === null || vain === null)
        throw new Error(`${named.name} names a session by one of its names only`);
      const expected = { who, state, answer: await answerTo(named, vain) };
      expect({ who, state, answer: await answerTo(named, request) }).toEqual(expected);
    }
    expect(await digestTables(db)).toBe(before);
  },
);
