import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { newAccessTokenAnswer } from "#src/people/access-tokens/schemas.ts";
import { hashAccessToken } from "#src/people/sign-ins/access-tokens.ts";
import { changeRoles, deactivateUser, reactivateUser } from "#src/people/users/manage-user.ts";
import { createServer } from "#src/server.ts";
import { only } from "#tests/support/build.ts";
import { setRows } from "#tests/support/rows.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { givePassword, PASSWORD } from "../users/person.ts";
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
