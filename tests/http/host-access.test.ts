import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { exclusions } from "#db/schema/exclusions.ts";
import { settlements } from "#db/schema/ledger.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations } from "#db/schema/sessions.ts";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { CSRF_HEADER, CSRF_PARAM } from "#src/http/contract.ts";
import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { only } from "#tests/support/build.ts";
import { signedInClient, signInDirectly } from "#tests/support/client.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildWorld, pathIn, type World } from "./access-world.ts";
import { ask } from "./ask.ts";
import { hostApiAccess, hostPageAccess } from "./host-access.ts";
import { pageAccess } from "./page-access.ts";

// The host of one session, on every endpoint and every page: in the own session, in another one, and in a private one of others. What
// hosts may do at all, with real bodies and what it writes, is in tests/show/session-hosts.

const ORIGIN = "http://localhost:3000";

const { deps, build, server, db } = await testWorld();
const world = await buildWorld(deps);
const admin = await build.admin();
const host = await build.player();
const player = await build.player();
const places = [await buildPlace({}), await buildPlace({}), await buildPlace({ private: true })] as const;
await db.insert(sessionHosts).values({ sessionId: places[0].id, userId: host.id, madeById: admin.id });

/** A running session with a record of every kind that a path can name. @returns its id, and the values of paths. */
async function buildPlace(settings: { private?: true }): Promise<{ id: number; world: World }> {
  const session = await build.runningSession({ settings });
  await deactivateSession(deps, { sessionId: session.id, actor: null });
  const event = await build.event("open", { sessionId: session.id, durationSeconds: 900 });
  const spare = await build.player();
  const joined = { sessionId: session.id, userId: spare.id, displayName: "Spare" };
  const registration = only(await db.insert(registrations).values(joined).returning());
  const callId = await build.call({ userId: spare.id, eventId: event.id });
  await resolveAndPay(deps, { eventId: event.id, actor: admin, result: "true" });
  const messageId = await buildMessage(deps, { sessionId: session.id, userId: spare.id });
  const [exclusion] = await db
    .insert(exclusions)
    .values({ userId: spare.id, sessionId: session.id, reason: "Cheats", excludedById: admin.id })
    .returning();
  const ofEvent = eq(settlements.eventId, event.id);
  const values = {
    ...world.values,
    sessions: session.slug,
    events: String(event.id),
    calls: String(callId),
    history: String(callId),
    messages: String(messageId),
    exclusions: String(exclusion?.id ?? 0),
    decisions: String(only(await db.select().from(settlements).where(ofEvent)).id),
    registrations: String(registration.id),
    players: String(spare.id),
    hosts: crypto.randomUUID(),
  };
  return { id: session.id, world: { ...world, values, overrides: {} } };
}

/** The sessions in which a route is asked: one if its path names nothing. */
const placesOf = (route: string) => (route.includes(":") ? places : places.slice(0, 1));

/** The statuses for an empty body in each session. Each request has a new sign-in, because some requests end it. */
async function askApi(user: { id: number }, route: string): Promise<string> {
  const [method = "GET"] = route.split(" ");
  const statuses: number[] = [];
  for (const { world: place } of placesOf(route)) {
    const client = await signedInClient(deps, server, user);
    const path = pathIn(place, route, null);
    statuses.push((await ask(client, method, path)).status);
  }
  return statuses.join(" ");
}

/** The status of a page without JavaScript in each session, or the page that it leads to. */
async function visit(user: { id: number }, route: string): Promise<string> {
  const [method = "GET"] = route.split(" ");
  const answers: string[] = [];
  for (const { world: place } of placesOf(route)) {
    const credentials = await signInDirectly(deps, user);
    const headers = { accept: "text/html", origin: ORIGIN, cookie: credentials["cookie"] ?? "" };
    const body = new URLSearchParams({ [CSRF_PARAM]: credentials[CSRF_HEADER] ?? "" });
    const init = { method, headers, ...(method === "POST" ? { body } : {}) };
    const answer = await server.handle(new Request(ORIGIN + pathIn(place, route, null), init));
    const location = answer.headers.get("location");
    const path = location === null ? "" : new URL(location, ORIGIN).pathname;
    const page = path === "/sessions" ? "sessions" : path;
    answers.push(location === null ? String(answer.status) : page);
  }
  return answers.join(" ");
}

const routes = allEndpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);

test("every endpoint for hosts has its line, says which session it is about, and every line has its endpoint", () => {
  const forHosts = allEndpoints.filter(({ endpoint }) => endpoint.who === "host");
  for (const { endpoint } of forHosts) {
    expect(Object.keys(hostApiAccess)).toContain(`${endpoint.method} ${endpoint.path}`);
    expect(endpoint.session).toBeDefined();
  }
  expect(Object.keys(hostApiAccess).filter((route) => !routes.includes(route))).toEqual([]);
  expect(Object.keys(hostPageAccess).filter((route) => !(route in pageAccess))).toEqual([]);
});

describe("the host of a session, in it, in another one, and in a private one of others", () => {
  // Those that change the session last, because the others need it as it is.
  const last = ["/stop", "DELETE "];
  const rank = (route: string) => last.findIndex((part) => route.includes(part));
  for (const route of routes.toSorted((one, other) => rank(one) - rank(other))) {
    const expected = hostApiAccess[route];
    test(`${route}: ${expected ?? "as a player"}`, async () => {
      const forHost = await askApi(host, route);
      expect(forHost).toBe(expected ?? (await askApi(player, route)));
    });
  }
});

describe("the pages", () => {
  for (const route of Object.keys(pageAccess)) {
    const expected = hostPageAccess[route];
    test(`${route}: ${expected ?? "as a player"}`, async () => {
      const forHost = await visit(host, route);
      expect(forHost).toBe(expected ?? (await visit(player, route)));
    });
  }
});
