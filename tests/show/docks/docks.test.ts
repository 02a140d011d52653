import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { hashAccessToken } from "#src/people/sign-ins/access-tokens.ts";
import { changeRoles } from "#src/people/users/manage-user.ts";
import { DOCKS_MAX } from "#src/show/docks/contract.ts";
import { docksAnswer, newDockAnswer } from "#src/show/docks/schemas.ts";
import { auditAnswer, type SessionView } from "#src/show/sessions/schemas.ts";
import { createProgram } from "#tests/people/access-tokens/build-token.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, read, server, client, unchanged, by, timer } = await testWorld();
let session: Pick<SessionView, "id" | "slug">;
let host: BuiltUser;

beforeEach(async () => {
  session = await build.runningSession({ settings: { settlementDelaySeconds: 60 } });
  host = await build.player();
  const madeById = (await build.admin()).id;
  await db.insert(sessionHosts).values({ sessionId: session.id, userId: host.id, madeById });
});

const docksOf = ({ slug }: Pick<SessionView, "slug">) => `/api/v1/sessions/${slug}/docks`;

/** Makes a dock as the control room does. @returns the client that has its link. */
async function makeDock(maker: BuiltUser, of = session) {
  const { status, body } = await (await client(maker)).send("POST", docksOf(of));
  expect(status).toBe(201);
  const { url, dock } = v.parse(newDockAnswer, body);
  const [address = "", secret = ""] = url.split("#");
  expect(address).toBe(`${deps.env.publicUrl}/sessions/${of.slug}/dock`);
  const program = createProgram(server, secret);
  expect((await program.get(`/api/v1/sessions/${of.slug}/dock`)).status).toBe(200);
  const isUsed = eq(accessTokens.id, dock.id);
  await waitFor("its use to be noted", async () => {
    const [row] = await db.select().from(accessTokens).where(isUsed);
    return row?.lastUsedAt != null;
  });
  return { id: dock.id, secret, dock: program };
}

const change = (state_event: string, more: object = {}) => ({ event: { state_event, ...more } });
const eventPath = ({ id }: { id: number }, act: string) => `/api/v1/events/${id}/${act}`;
const sessionPath = (act: string) => `/api/v1/sessions/${session.slug}/${act}`;

test("the link is in one answer, and only its hash is stored; both making and revoking are in the session's audit", async () => {
  const { id, secret, dock } = await makeDock(host);
  const [row] = await db.select().from(accessTokens).where(eq(accessTokens.id, id));
  expect([row?.secretHash, row?.scope, row?.sessionId]).toEqual([
    hashAccessToken(secret),
    "dock",
    session.id,
  ]);
  const browser = await client(host);
  expect(JSON.stringify((await browser.get(docksOf(session))).body)).not.toContain(secret);
  expect((await dock.get(sessionPath("dock"))).status).toBe(200);
  // Any other host may revoke it.
  const other = await client(await build.admin());
  const { docks } = await other.read(docksOf(session), docksAnswer);
  expect(docks).toMatchObject([{ id, madeBy: host.username }]);
  expect((await other.send("DELETE", `${docksOf(session)}/${id}`)).status).toBe(204);
  const refused = await dock.get(sessionPath("dock"));
  expect([refused.status, refused.body]).toMatchObject([401, { detail: expect.stringContaining("revoked") }]);
  expect((await other.send("DELETE", `${docksOf(session)}/${id}`)).status).toBe(404);
  const { audit } = await other.read(sessionPath("audit"), auditAnswer);
  expect(audit.slice(0, 2).map(({ action }) => action)).toEqual(["revoke_access_token", "make_access_token"]);
});

test("it starts a show, takes the start back while nobody has called, and stops it, takes no players from another one, and ends with the stop", async () => {
  const pending = await build.session();
  await build.draft({ sessionId: pending.id });
  await db.insert(sessionHosts).values({ sessionId: pending.id, userId: host.id, madeById: host.id });
  const { dock } = await makeDock(host, pending);
  const put = (act: string, body?: unknown) =>
    dock.send("PUT", `/api/v1/sessions/${pending.slug}/${act}`, body);
  await unchanged(async () => {
    expect((await put("start", { session: { activate: true } })).status).toBe(403);
  });
  const start = async () =>
    expect(await put("start", { session: { in_seconds: 5 } })).toMatchObject({
      status: 200,
      body: { session: { state: "running", active: false } },
    });
  await start();
  expect(await put("take_back_start")).toMatchObject({
    status: 200,
    body: { session: { state: "pending", startedAt: null } },
  });
  await start();
  expect(await put("stop")).toMatchObject({ status: 200, body: { session: { state: "stopped" } } });
  expect((await put("stop")).status).toBe(401);
  const lines = (await read.audit({ sessionId: pending.id })).map(({ action }) => action);
  for (const line of ["start", "take_back_start", "stop"]) expect(lines).toContain(line);
});

test("it does nothing else: no settings, no resets, no other session, no page and nothing of its maker", async () => {
  const event = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  const elsewhere = await build.runningSession();
  const away = await build.event("open", { sessionId: elsewhere.id, durationSeconds: 600 });
  const maker = await build.admin();
  const { dock } = await makeDock(maker);
  const refused: [string, string, unknown?][] = [
    ["PATCH", `/api/v1/sessions/${session.slug}`, { session: { name: "Mine" } }],
    ["PUT", sessionPath("start"), { session: { activate: true } }],
    ["PUT", sessionPath("take_back_stop")],
    ["PUT", `/api/v1/sessions/${elsewhere.slug}/take_back_start`],
    ["PUT", sessionPath("activate")],
    ["POST", docksOf(session)],
    ["GET", docksOf(session)],
    ["PATCH", eventPath(event, "state"), change("reset", { reason: "Again" })],
    ["PATCH", eventPath(event, "state"), change("hide")],
    ["PATCH", eventPath(event, "state"), { event: { state: "closed" } }],
    ["PATCH", eventPath(away, "state"), change("close_event")],
    ["GET", `/api/v1/events/${away.id}`],
    ["GET", `/api/v1/sessions/${elsewhere.slug}/dock`],
    ["PUT", `/api/v1/sessions/${elsewhere.slug}/pause`],
    ["PUT", `/api/v1/sessions/${elsewhere.slug}/stop`],
    ["GET", `/api/v1/users/${maker.id}/wallet`],
    ["GET", "/api/v1/users"],
    ["POST", "/api/v1/calls", { call: { spot_id: 1, wager: 1 } }],
    ["GET", `/sessions/${session.slug}/admin`],
  ];
  await unchanged(async () => {
    for (const [method, path, body] of refused)
      expect([path, (await dock.send(method, path, body)).status]).toEqual([path, 403]);
  });
});

test("the rules about own calls are its maker's", async () => {
  const event = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  await build.call({ userId: host.id, eventId: event.id });
  const { dock } = await makeDock(host);
  await unchanged(async () => {
    const { status, body } = await dock.send("PATCH", eventPath(event, "state"), change("close_event"));
    expect([status, body]).toMatchObject([403, { code: "forbidden" }]);
  });
});

test("it is refused once the show is over, and once its maker does not run the session any more", async () => {
  const event = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  const admin = await build.admin();
  const [ofHost, ofAdmin] = [await makeDock(host), await makeDock(admin)];
  const expectRefused = ({ dock }: typeof ofHost, detail: string) =>
    unchanged(async () => {
      const answers = [
        await dock.get(sessionPath("dock")),
        await dock.send("PATCH", eventPath(event, "state"), change("resolve", { result: "true" })),
      ];
      for (const { status, body } of answers)
        expect([status, body]).toMatchObject([401, { detail: expect.stringContaining(detail) }]);
    });
  await by(admin).stop(session.id);
  await expectRefused(ofHost, "The show is over.");
  await by(admin).takeBackStop(session.id);
  expect((await ofHost.dock.get(sessionPath("dock"))).status).toBe(200);
  await db.delete(sessionHosts).where(eq(sessionHosts.userId, host.id));
  await expectRefused(ofHost, "does not run this show any more");
  const other = await build.admin();
  await changeRoles(deps, { actor: other, userId: admin.id, roles: [], reason: null, ifVersion: null });
  await expectRefused(ofAdmin, "does not run this show any more");
});

test("a session has so many docks, a stopped one gets none, and a repeated request makes one", async () => {
  const browser = await client(host);
  const key = { "idempotency-key": "once" };
  const answers = [
    await browser.send("POST", docksOf(session), undefined, key),
    await browser.send("POST", docksOf(session), undefined, key),
  ];
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  for (let made = 1; made < DOCKS_MAX; made += 1) await makeDock(host);
  await unchanged(async () => {
    expect((await browser.send("POST", docksOf(session))).status).toBe(422);
  });
  await timer.stop(session.id);
  await unchanged(async () => {
    expect((await browser.send("POST", docksOf(session))).status).toBe(422);
  });
});
