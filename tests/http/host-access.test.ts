import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { exclusions } from "#db/schema/exclusions.ts";
import { settlements } from "#db/schema/ledger.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations } from "#db/schema/sessions.ts";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { CSRF_HEADER, CSRF_PARAM } from "#src/http/contract.ts";
import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { type BuiltUser, only } from "#tests/support/build.ts";
import { signInDirectly, signedInClient } from "#tests/support/client.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildWorld, claimSettings, comeWith, pathIn, type World } from "./access-world.ts";
import { ask } from "./ask.ts";
import { pageAccess } from "./page-access.ts";

/**
 * What the host of one session gets: in the own session, in another one that is public, and in a private one of others. Everything that
 * is not here answers a host as it answers players, and that is tested too. The bodies are empty, so 400 and 422 mean that the caller was
 * let in; where the body names the session, an empty one is read first, so those have one status.
 */
const hostApiAccess: Readonly<Record<string, string>> = {
  "GET /api/v1/sessions/:id/session_hosts": "200 403 403",
  "GET /api/v1/sessions/:id/health": "200 403 403",
  "GET /api/v1/sessions/:id/players": "422 403 403",
  "GET /api/v1/sessions/:id/audit": "200 403 403",
  "GET /api/v1/sessions/:id/decisions": "200 403 403",
  "GET /api/v1/sessions/:id/hosts": "200 403 403",
  "PUT /api/v1/sessions/:id/hosts/:tab": "400 403 403",
  "DELETE /api/v1/sessions/:id/hosts/:tab": "204 403 403",
  "GET /api/v1/sessions/:id/dock": "200 403 403",
  "GET /api/v1/sessions/:id/docks": "200 403 403",
  "POST /api/v1/sessions/:id/docks": "201 403 403",
  "DELETE /api/v1/sessions/:id/docks/:dockId": "404 403 403",
  "GET /api/v1/sessions/:id/stage_link": "200 403 403",
  "PUT /api/v1/sessions/:id/stage_link": "200 403 403",
  "GET /api/v1/sessions/:id/join_code": "200 403 403",
  "PUT /api/v1/sessions/:id/join_code": "200 403 403",
  "DELETE /api/v1/sessions/:id/players/:userId": "204 403 403",
  "GET /api/v1/sessions/:id/waves": "200 403 403",
  "DELETE /api/v1/sessions/:id/waves/:wave": "422 403 403",
  "PUT /api/v1/sessions/:id/waves/:wave": "404 403 403",
  "PUT /api/v1/sessions/:id/players/:userId/team": "400 403 403",
  "GET /api/v1/sessions/:id/results": "200 403 403",
  "GET /api/v1/sessions/:id/results.csv": "200 403 403",
  "GET /api/v1/sessions/:id/results.xlsx": "200 403 403",
  "PATCH /api/v1/sessions/:id": "400 403 403",
  "PUT /api/v1/sessions/:id/activate": "200 403 403",
  "PUT /api/v1/sessions/:id/deactivate": "200 403 403",
  "PUT /api/v1/sessions/:id/start": "422 403 403",
  "PUT /api/v1/sessions/:id/pause": "200 403 403",
  "PUT /api/v1/sessions/:id/resume": "200 403 403",
  "PUT /api/v1/sessions/:id/stop": "200 403 403",
  "PUT /api/v1/sessions/:id/take_back_start": "422 403 403",
  "PUT /api/v1/sessions/:id/stage_leaders": "400 403 403",
  "PUT /api/v1/sessions/:id/take_back_stop": "422 403 403",
  "POST /api/v1/sessions/:id/events/batch_update_positions": "400 403 403",
  "POST /api/v1/events": "400",
  "PATCH /api/v1/events/:id": "400 403 403",
  "DELETE /api/v1/events/:id": "422 403 403",
  "PUT /api/v1/events/:id/advance": "422 403 403",
  "PUT /api/v1/events/:id/skip": "422 403 403",
  "PUT /api/v1/events/:id/delay": "422 403 403",
  "GET /api/v1/events/:id/preview": "422 403 403",
  "PATCH /api/v1/events/:id/state": "400 403 403",
  "GET /api/v1/decisions/:id/recomputation": "200 403 403",
  "DELETE /api/v1/messages/:id": "204 403 403",
  "PUT /api/v1/messages/:id/approve": "200 403 403",
  "POST /api/v1/mutes": "400",
  "GET /api/v1/scores/exclusions": "403",
  "POST /api/v1/scores/exclusions": "400",
  "DELETE /api/v1/scores/exclusions/:id": "204 403 403",
  // Reads that show a host more than a player.
  "GET /api/v1/sessions/:id/registrations/:registrationId": "200 404 404",
  "GET /api/v1/sessions/:id/replay": "200 404 404",
  "GET /api/v1/sessions/:id/replay/export": "200 404 404",
};

/** The same for pages; the words are those of page-access.ts. */
const hostPageAccess: Readonly<Record<string, string>> = {
  "GET /sessions/:slug/admin": "200 sessions sessions",
  "POST /sessions/:slug/admin": "400 400 400",
  "GET /sessions/:slug/edit": "200 sessions sessions",
  "POST /sessions/:slug/edit": "422 sessions sessions",
  "GET /sessions/:slug/replay": "200 404 404",
};

// The host of one session, on every endpoint and every page: in the own session, in another one, and in a private one of others. What
// hosts may do at all, with real bodies and what it writes, is in tests/show/session-hosts.

const ORIGIN = "http://localhost:3000";

type Base = Awaited<ReturnType<typeof testWorld>> & { world: World; admin: BuiltUser };

/** A host, by an admin's hand or by a claim, who has the first of three sessions: the others came later. */
async function buildSide(settings: Partial<typeof claimSettings>) {
  const testing = await testWorld(settings);
  const { deps, build, db } = testing;
  const base = { ...testing, world: await buildWorld(deps), admin: await build.admin() };
  const own = await buildPlace(base, {});
  const host = await (deps.env.oidc === null ? build.player() : comeWith(deps, "host", ["hosts"]));
  if (deps.env.oidc === null)
    await db.insert(sessionHosts).values({ sessionId: own.id, userId: host.id, madeById: base.admin.id });
  const places = [own, await buildPlace(base, {}), await buildPlace(base, { private: true })] as const;
  return { ...base, host, player: await build.player(), places };
}
type Side = Awaited<ReturnType<typeof buildSide>>;

/** A running session with a record of every kind that a path can name. @returns its id, and the values of paths. */
async function buildPlace(
  { deps, build, db, world, admin }: Base,
  settings: { private?: true },
): Promise<{ id: number; world: World }> {
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
const placesOf = ({ places }: Side, route: string) => (route.includes(":") ? places : places.slice(0, 1));

/** The statuses for an empty body in each session. Each request has a new sign-in, because some requests end it. */
async function askApi(side: Side, user: { id: number }, route: string): Promise<string> {
  const [method = "GET"] = route.split(" ");
  const statuses: number[] = [];
  for (const { world: place } of placesOf(side, route)) {
    const client = await signedInClient(side.deps, side.server, user);
    const path = pathIn(place, route, null);
    statuses.push((await ask(client, method, path)).status);
  }
  return statuses.join(" ");
}

/** The status of a page without JavaScript in each session, or the page that it leads to. */
async function visit(side: Side, user: { id: number }, route: string): Promise<string> {
  const [method = "GET"] = route.split(" ");
  const answers: string[] = [];
  for (const { world: place } of placesOf(side, route)) {
    const credentials = await signInDirectly(side.deps, user);
    const headers = { accept: "text/html", origin: ORIGIN, cookie: credentials["cookie"] ?? "" };
    const body = new URLSearchParams({ [CSRF_PARAM]: credentials[CSRF_HEADER] ?? "" });
    const init = { method, headers, ...(method === "POST" ? { body } : {}) };
    const answer = await side.server.handle(new Request(ORIGIN + pathIn(place, route, null), init));
    const location = answer.headers.get("location");
    const path = location === null ? "" : new URL(location, ORIGIN).pathname;
    const page = path === "/sessions" ? "sessions" : path;
    answers.push(location === null ? String(answer.status) : page);
  }
  return answers.join(" ");
}

const sides = [await buildSide({}), await buildSide(claimSettings)];
const routes: string[] = allEndpoints.map(({ endpoint }) => endpoint.route);

test("every endpoint for hosts has its line, says which session it is about, and every line has its endpoint", () => {
  const forHosts = allEndpoints.filter(({ endpoint }) => endpoint.who === "host");
  for (const { endpoint } of forHosts) {
    expect(Object.keys(hostApiAccess)).toContain(endpoint.route);
    expect(endpoint.session).toBeDefined();
  }
  expect(Object.keys(hostApiAccess).filter((route) => !routes.includes(route))).toEqual([]);
  expect(Object.keys(hostPageAccess).filter((route) => !(route in pageAccess))).toEqual([]);
});

// Those that change the session last, because the others need it as it is.
const last = ["/stop", "DELETE "];
const rank = (route: string) => last.findIndex((part) => route.includes(part));
for (const route of routes.toSorted((one, other) => rank(one) - rank(other))) {
  const expected = hostApiAccess[route];
  test(`${route} for the host of a session, in it, in another one, and in a private one of others: ${expected ?? "as a player"}`, async () => {
    for (const side of sides) {
      expect(await askApi(side, side.host, route)).toBe(expected ?? (await askApi(side, side.player, route)));
    }
  });
}

for (const route of Object.keys(pageAccess)) {
  const expected = hostPageAccess[route];
  test(`${route}: ${expected ?? "as a player"}`, async () => {
    for (const side of sides) {
      expect(await visit(side, side.host, route)).toBe(expected ?? (await visit(side, side.player, route)));
    }
  });
}

test("a host whose claim is gone is a player everywhere", async () => {
  const side = await buildSide(claimSettings);
  await comeWith(side.deps, "host", []);
  for (const route of Object.keys(hostApiAccess).toSorted((one, other) => rank(one) - rank(other)))
    expect([route, await askApi(side, side.host, route)]).toEqual([
      route,
      await askApi(side, side.player, route),
    ]);
  for (const route of Object.keys(hostPageAccess))
    expect([route, await visit(side, side.host, route)]).toEqual([
      route,
      await visit(side, side.player, route),
    ]);
});
