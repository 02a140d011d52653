import { expect, test } from "bun:test";
import path from "node:path";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { guides } from "#src/api/programs.ts";
import { rates } from "#src/http/rates.ts";
import { newAccessTokenAnswer } from "#src/people/access-tokens/schemas.ts";
import { hashAccessToken } from "#src/people/sign-ins/access-tokens.ts";
import { changeRoles, deactivateUser, reactivateUser } from "#src/people/users/manage-user.ts";
import { createServer } from "#src/server.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { oneOf, parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildAdmin, only } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { setRows } from "#tests/support/rows.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSignedIn, givePassword, PASSWORD } from "../users/person.ts";
import { buildToken, createProgram } from "./build-token.ts";

const PATH = "/api/v1/users/me/access_tokens";

const { deps, db, server, build, read, client } = await testWorld();
const otherProcess = createServer({ ...deps });

async function buildOwner() {
  const admin = await build.admin();
  await givePassword(deps, admin.id);
  return { admin, browser: await client(admin) };
}

const form = (terms: Record<string, unknown> = {}) => ({
  access_token: { name: "Scoreboard", current_password: PASSWORD, ...terms },
});
const rowOf = async (id: number) => only(await db.select().from(accessTokens).where(eq(accessTokens.id, id)));
const reason = { reason: null, ifVersion: null };

test("the secret is in one answer, and only its hash is stored", async () => {
  const { browser } = await buildOwner();
  const { status, body } = await browser.send("POST", PATH, form({ scope: "run", valid_days: 7 }));
  const { accessToken, secret } = v.parse(newAccessTokenAnswer, body);
  expect([status, accessToken.scope, accessToken.hint]).toEqual([201, "run", secret.slice(-4)]);
  expect(secret).toMatch(/^ci_[\w-]{43}$/);
  const row = await rowOf(accessToken.id);
  expect(row.secretHash).toBe(hashAccessToken(secret));
  expect(JSON.stringify(row)).not.toContain(secret);
  expect(JSON.stringify((await browser.get(PATH)).body)).not.toContain(secret);
  const days = (row.expiresAt.getTime() - row.createdAt.getTime()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
});

test("making and revoking are audited, and a revoked token is refused in every process at once", async () => {
  const { admin, browser } = await buildOwner();
  const made = v.parse(newAccessTokenAnswer, (await browser.send("POST", PATH, form())).body);
  const program = createProgram(server, made.secret);
  const elsewhere = createProgram(otherProcess, made.secret);
  expect([
    (await program.get("/api/v1/events")).status,
    (await elsewhere.get("/api/v1/events")).status,
  ]).toEqual([200, 200]);
  const { id } = made.accessToken;
  await waitFor("the use to be recorded", async () => (await rowOf(id)).lastUsedAt !== null);
  expect((await browser.send("DELETE", `${PATH}/${id}`)).status).toBe(204);
  for (const { get } of [program, elsewhere]) {
    const { status, body, headers } = await get("/api/v1/events");
    expect([status, body]).toMatchObject([
      401,
      { code: "invalid_token", detail: expect.stringContaining("revoked") },
    ]);
    expect(headers.get("www-authenticate")).toBe('Bearer realm="Called It", error="invalid_token"');
  }
  expect((await browser.send("DELETE", `${PATH}/${id}`)).status).toBe(404);
  const lines = await read.audit({ subjectType: "access_token", subjectId: id });
  expect(lines.map(({ action, actorId }) => [action, actorId])).toEqual([
    ["make_access_token", admin.id],
    ["revoke_access_token", admin.id],
  ]);
});

test("nobody revokes the token of another admin", async () => {
  const { admin } = await buildOwner();
  const { id } = await buildToken(deps, { userId: admin.id });
  const { browser } = await buildOwner();
  expect((await browser.send("DELETE", `${PATH}/${id}`)).status).toBe(404);
  expect((await rowOf(id)).revokedAt).toBeNull();
});

test("a token needs the current password after a sign-in by password, and there are at most 20", async () => {
  const { admin, browser } = await buildOwner();
  const wrong = await browser.send("POST", PATH, form({ current_password: "not it" }));
  expect([wrong.status, wrong.body]).toMatchObject([422, { errors: { currentPassword: ["is invalid"] } }]);
  expect(await db.$count(accessTokens, eq(accessTokens.userId, admin.id))).toBe(0);
  for (let count = 0; count < 20; count += 1) await buildToken(deps, { userId: admin.id });
  await buildToken(deps, { userId: admin.id, expired: true });
  const tooMany = await browser.send("POST", PATH, form());
  expect([tooMany.status, tooMany.body]).toMatchObject([422, { errors: { accessToken: expect.anything() } }]);
  expect(await db.$count(accessTokens, eq(accessTokens.userId, admin.id))).toBe(21);
});

test("a token stops with its time, with the role and with the account of its owner; a lock, which stops new sign-ins, does not stop it", async () => {
  const by = { id: (await build.admin()).id };
  const { admin } = await buildOwner();
  const tokenOf = async () => createProgram(server, (await buildToken(deps, { userId: admin.id })).secret);
  const statusOf = async ({ get }: ReturnType<typeof createProgram>) => (await get("/api/v1/events")).status;

  const { secret } = await buildToken(deps, { userId: admin.id, expired: true });
  const late = await createProgram(server, secret).get("/api/v1/events");
  expect(late).toMatchObject({ status: 401, body: { detail: expect.stringContaining("It has expired.") } });
  const first = await tokenOf();
  expect(await statusOf(first)).toBe(200);
  await setRows(db, users, eq(users.id, admin.id), { lockedAt: sql`clock_timestamp()` });
  expect(await statusOf(first)).toBe(200);

  await changeRoles(deps, { userId: admin.id, actor: by, roles: ["operator"], ...reason });
  expect(await statusOf(first)).toBe(401);
  await changeRoles(deps, { userId: admin.id, actor: by, roles: ["admin"], ...reason });
  expect(await statusOf(first)).toBe(401);

  const second = await tokenOf();
  expect(await statusOf(second)).toBe(200);
  await deactivateUser(deps, { userId: admin.id, actor: by, ...reason });
  expect(await statusOf(second)).toBe(401);
  await reactivateUser(deps, { userId: admin.id, actor: by, ...reason });
  expect(await statusOf(second)).toBe(401);

  const third = await tokenOf();
  await db.delete(userRoles).where(eq(userRoles.userId, admin.id));
  expect(await statusOf(third)).toBe(401);
  // The books compare roles with what the audit says of them.
  await db.insert(userRoles).values({ userId: admin.id, role: "admin" });
});

test("with a token the cookie beside it means nothing, and no cookie is set", async () => {
  const { admin, browser } = await buildOwner();
  const { secret } = await buildToken(deps, { userId: admin.id, scope: "read" });
  const session = await build.runningSession();
  const event = await build.event("closed", { sessionId: session.id });
  const send = (authorization: string) =>
    server.handle(
      new Request(`http://localhost:3000/api/v1/events/${event.id}/state`, {
        method: "PATCH",
        headers: { ...browser.credentials(), "content-type": "application/json", authorization },
        body: JSON.stringify({ event: { state_event: "resolve", result: true } }),
      }),
    );
  const refused = await send(`Bearer ${secret}`);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "outside_scope" }]);
  expect(refused.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="run"');
  expect((await send("Bearer ci_nothing")).status).toBe(401);
  expect(refused.headers.getSetCookie()).toEqual([]);
  expect(refused.headers.get("x-csrf-token")).toBeNull();
  expect((await read.event(event.id)).state).toBe("closed");
  // Proxies ask for names and passwords of their own, and gateways add tokens of their own.
  for (const foreign of ["Basic cHJveHk6cHJveHk=", "Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "Bearer"])
    expect((await send(foreign)).status).toBe(200);
});

test("what a program did names its token in the audit, also after the token is revoked", async () => {
  const { admin, browser } = await buildOwner();
  const { id, secret } = await buildToken(deps, { userId: admin.id, name: "Show bot" });
  const session = await build.runningSession();
  const event = await build.event("closed", { sessionId: session.id });
  const { send } = createProgram(server, secret);
  const answer = await send("PATCH", `/api/v1/events/${event.id}/state`, {
    event: { state_event: "resolve", result: true },
  });
  expect(answer.status).toBe(200);
  await browser.send("DELETE", `${PATH}/${id}`);
  const { body } = await browser.get(`/api/v1/sessions/${session.slug}/audit`);
  const actor = { id: admin.id, username: admin.username, token: "Show bot" };
  expect(body).toMatchObject({
    audit: expect.arrayContaining([expect.objectContaining({ action: "resolve", actor })]),
  });
});

const app = createServer(deps);
app.listen({ hostname: "127.0.0.1", port: 0 });
afterFile(async () => void (await app.stop(true)));
const admin = await build.admin();
const example = guides.find(({ id }) => id === "access-tokens")?.example ?? "";

/** Runs the reference's example as a shell does, and returns what curl printed and its exit code. */
async function runExample(eventId: number, secret: string): Promise<{ printed: string; code: number }> {
  const child = Bun.spawn(["sh", "-c", example], {
    env: {
      PATH: `${path.dirname(requireProgram("curl"))}:/usr/bin:/bin`,
      CALLED_IT: `http://127.0.0.1:${app.server?.port ?? 0}`,
      CALLED_IT_TOKEN: secret,
      EVENT_ID: String(eventId),
    },
    stdout: "pipe",
    stderr: "ignore",
  });
  return { printed: await new Response(child.stdout).text(), code: await child.exited };
}

async function buildClosed() {
  const session = await build.runningSession();
  return build.event("closed", { sessionId: session.id });
}

test("the reference's example resolves an event by curl with the scope run", async () => {
  const event = await buildClosed();
  const { secret } = await buildToken(deps, { userId: admin.id, scope: "run" });
  const { printed, code } = await runExample(event.id, secret);
  expect([code, JSON.parse(printed)]).toMatchObject([
    0,
    { event: { id: event.id, state: "resolved", result: true } },
  ]);
  expect(await read.event(event.id)).toMatchObject({ state: "resolved", result: "true" });
});

const TOKENS_PAGE = "/profile/tokens";

const wish = { intent: "make", name: "Scoreboard", scope: "read", valid_days: "7" };

async function openTokens() {
  const admin = await buildAdmin(deps);
  const reader = await readerFor(deps, server, admin);
  const rows = () => deps.pool.db.select().from(accessTokens).where(eq(accessTokens.userId, admin.id));
  return { reader, rows };
}

test("without JavaScript an admin makes a token, reads its secret once, and revokes it", async () => {
  const { reader, rows } = await openTokens();
  const made = await reader.sendForm(TOKENS_PAGE, { ...wish, "user[current_password]": PASSWORD });
  expect(made.status).toBe(200);
  const secret = oneOf(parsePage(made.html), '[role="status"] input').getAttribute("value") ?? "";
  const row = only(await rows());
  expect(row.secretHash).toBe(hashAccessToken(secret));
  const program = createProgram(server, secret);
  expect((await program.get("/api/v1/sessions")).status).toBe(200);

  const list = await reader.open(TOKENS_PAGE);
  expect(textsOf(parsePage(list.html), ".token-row b")).toEqual(["Scoreboard"]);
  expect(list.html).not.toContain(secret);
  const revoked = await reader.sendForm(TOKENS_PAGE, { intent: "revoke", id: String(row.id) });
  expect([revoked.status, revoked.location]).toEqual([303, `${TOKENS_PAGE}?done=revoked`]);
  const { html } = await reader.open(`${TOKENS_PAGE}?done=revoked`);
  expect(html).toContain("The token is revoked. It is refused from now on.");
  expect(textsOf(parsePage(html), ".token-row b")).toEqual([]);
  expect((await program.get("/api/v1/sessions")).status).toBe(401);
});

test("where admins need a passkey, a sign-in by password makes no token, and its older tokens stop", async () => {
  const deps = await testDeps({ ADMIN_PASSKEYS: "required" });
  const server = createServer(deps);
  const { user, person } = await buildSignedIn(deps, server, await buildAdmin(deps));
  const made = await person.send("POST", PATH, {
    body: { access_token: { name: "Scoreboard", current_password: PASSWORD } },
  });
  expect(made.status).toBe(403);
  expect(await deps.pool.db.$count(accessTokens)).toBe(0);
  const older = createProgram(server, (await buildToken(deps, { userId: user.id, byPasskey: false })).secret);
  const proven = createProgram(server, (await buildToken(deps, { userId: user.id, byPasskey: true })).secret);
  expect((await older.get("/api/v1/events")).status).toBe(401);
  expect((await proven.get("/api/v1/events")).status).toBe(200);
});

test("requests are counted by token: one that is too fast stops neither another one nor its owner", async () => {
  const deps = await testDeps({ RATE_LIMITS: "on" });
  const server = createServer(deps);
  const admin = await buildAdmin(deps);
  const [fast, slow] = [
    await buildToken(deps, { userId: admin.id }),
    await buildToken(deps, { userId: admin.id }),
  ];
  const { get } = createProgram(server, fast.secret);
  const times = rates.accessToken.perAccount;
  const answers = await Promise.all(Array.from({ length: times + 5 }, () => get("/api/v1/nothing")));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  const refused = await get("/api/v1/events");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await createProgram(server, slow.secret).get("/api/v1/events")).status).toBe(200);
  const browser = await signedInClient(deps, server, admin);
  expect((await browser.get("/api/v1/events")).status).toBe(200);
  expect(await deps.pool.db.$count(accessTokens, eq(accessTokens.userId, admin.id))).toBe(2);
});
