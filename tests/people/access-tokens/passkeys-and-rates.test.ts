import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { rates } from "#src/http/rates.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { PASSWORD, buildSignedIn } from "../users/person.ts";
import { buildToken, createProgram } from "./build-token.ts";

const PATH = "/api/v1/users/me/access_tokens";

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
