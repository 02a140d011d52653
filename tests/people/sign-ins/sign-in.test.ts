import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { signIns, users } from "#db/schema/users.ts";
import { createLog } from "#src/base/log.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { describeBrowser } from "#src/people/sign-ins/describe-browser.ts";
import { createServer } from "#src/server.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildMember, buildSignedIn, PASSWORD, Person } from "../users/person.ts";

const { deps, server, read } = await testWorld();

const buildPerson = () => buildMember(deps);

const rowsOf = (userId: number) => deps.pool.db.select().from(signIns).where(eq(signIns.userId, userId));

test("a player signs in, and later requests are authenticated", async () => {
  const user = await buildPerson();
  const client = new Person(server);
  const response = await client.signIn(user.email);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    user: {
      id: user.id,
      gid: `gid://called-it/User/${user.id}`,
      email: user.email,
      username: user.username,
      avatar: presentAvatar(null),
      roles: [],
      hostOf: [],
      guest: false,
      breakUntil: null,
    },
  });
  const me = await client.get("/api/v1/users/me");
  expect(me.status).toBe(200);
  expect(await me.json()).toMatchObject({ user: { id: user.id } });
});

test("the email is trimmed and compared without regard to case and to what is not seen", async () => {
  const user = await buildPerson();
  const response = await new Person(server).signIn(` \u200b${String(user.email).toUpperCase()}\u200b `);
  expect(response.status).toBe(200);
});

test("the log has each refused sign-in with the id of its account, and neither the email nor the password", async () => {
  const lines: string[] = [];
  const log = createLog({ production: true, logLevel: "info" }, "test", (line) => lines.push(line));
  const logged = createServer({ ...deps, log });
  const user = await buildPerson();
  await new Person(logged).signIn(user.email, "a wrong guess");
  await new Person(logged).signIn("nobody@example.test", "a wrong guess");
  const all = lines.join("");
  expect(all).toMatch(new RegExp(`"userId":${user.id},"left":19,.*"a sign-in with a wrong password"`));
  expect(all).toMatch(/"userId":null,.*"a sign-in to no account"/);
  for (const secret of ["a wrong guess", String(user.email), "nobody@"]) expect(all).not.toContain(secret);
});

test("an unknown email and a wrong password are refused with the same text", async () => {
  const user = await buildPerson();
  const wrong = await new Person(server).signIn(user.email, "not it");
  const unknown = await new Person(server).signIn("nobody@example.test", PASSWORD);
  expect(wrong.status).toBe(401);
  expect(unknown.status).toBe(401);
  const requestId: unknown = expect.any(String);
  const expected = { error: "Invalid credentials or password.", code: "invalid_credentials", requestId };
  expect(await wrong.json()).toEqual(expected);
  expect(await unknown.json()).toEqual(expected);
  expect(await rowsOf(user.id)).toEqual([]);
});

test("a deactivated account is reported, but only after the right password", async () => {
  const user = await buildPerson();
  await deps.pool.db.update(users).set({ deactivatedAt: new Date() }).where(eq(users.id, user.id));
  const right = await new Person(server).signIn(user.email);
  expect(right.status).toBe(403);
  expect(await right.json()).toMatchObject({ error: "Your account is not activated yet." });
  const wrong = await new Person(server).signIn(user.email, "not it");
  expect(await wrong.json()).toMatchObject({ error: "Invalid credentials or password." });
  expect(await rowsOf(user.id)).toEqual([]);
});

test("every sign-in is a new row with its own secret; a signed-in browser cannot sign in again", async () => {
  const user = await buildPerson();
  const first = new Person(server);
  await first.signIn(user.email);
  await new Person(server).signIn(user.email);
  const rows = await rowsOf(user.id);
  expect(rows).toHaveLength(2);
  expect(new Set(rows.map((row) => row.csrfSecret)).size).toBe(2);

  expect((await first.signIn(user.email)).status).toBe(409);
  expect(await rowsOf(user.id)).toHaveLength(2);
});

test("the cookie lasts until the browser is closed, or two weeks with remember me", async () => {
  const user = await buildPerson();
  const forgetful = await new Person(server).signIn(user.email);
  const [plain = ""] = forgetful.headers.getSetCookie();
  expect(plain).toMatch(/^called_it=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/);

  const client = new Person(server);
  await client.get("/api/v1/users/me");
  const body = { user: { email: user.email, password: PASSWORD, remember_me: "1" } };
  const remembering = await client.send("POST", "/users/sign_in", { body });
  expect(remembering.headers.getSetCookie()[0]).toContain("; Max-Age=1209600");

  const lifetimes = await deps.pool.db
    .select({
      remembered: signIns.remembered,
      hours: sql<string>`round(extract(epoch FROM ${signIns.expiresAt} - ${signIns.createdAt}) / 3600)`,
    })
    .from(signIns)
    .where(eq(signIns.userId, user.id))
    .orderBy(signIns.remembered);
  expect(lifetimes).toEqual([
    { remembered: false, hours: "12" },
    { remembered: true, hours: "336" },
  ]);
});

test("over https the cookies are restricted to the host and to https", async () => {
  const secure = { ...deps, env: { ...deps.env, publicUrl: "https://called.example" } };
  const user = await buildPerson();
  // The proxy speaks https to the browser, and http to the product.
  const client = new Person(createServer(secure), "http://called.example");
  await client.signIn(user.email);
  expect([...client.cookies.keys()]).toEqual([
    "__Host-called_it_visitor",
    "__Host-called_it",
    "__Host-called_it_browser",
  ]);
  const response = await client.get("/api/v1/users/me");
  expect(response.status).toBe(200);
  expect(response.headers.get("strict-transport-security")).toContain("max-age=");
});

test("a cookie that was tampered with, or signed with another key, is ignored", async () => {
  const user = await buildPerson();
  const client = new Person(server);
  await client.signIn(user.email);
  const value = String(client.cookies.get("called_it"));
  const [head, , signature] = value.split(".");
  const { id } = only(await rowsOf(user.id));
  const other = Buffer.from(JSON.stringify({ sub: id, iat: 1 })).toString("base64url");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${other}.`;
  for (const forged of [`${head}.${other}.${signature}`, unsigned, `${value}x`, "", "null", id]) {
    const thief = new Person(server);
    thief.cookies.set("called_it", forged);
    expect((await thief.get("/api/v1/users/me")).status).toBe(401);
  }
});

test("signing out ends the sign-in, and copies of its cookie become invalid", async () => {
  const { user, person: client } = await buildSignedIn(deps, server);
  const thief = new Person(server);
  thief.cookies.set("called_it", String(client.cookies.get("called_it")));
  expect((await thief.get("/api/v1/users/me")).status).toBe(200);

  const response = await client.send("DELETE", "/users/sign_out");
  // Otherwise "Back" would show this user's pages, which the browser keeps in its memory.
  expect(response.headers.get("clear-site-data")).toBe('"cache"');
  expect(response.status).toBe(204);
  expect(await response.text()).toBe("");
  expect(client.cookies.has("called_it")).toBe(false);

  expect((await thief.get("/api/v1/users/me")).status).toBe(401);
  expect((await client.get("/api/v1/users/me")).status).toBe(401);
  expect((await read.row(signIns, eq(signIns.userId, user.id))).endedAt).not.toBeNull();
});

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
const known: [words: string, userAgent: string | null][] = [
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["Chrome on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`],
  ["Edge on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`],
  [
    "Safari on iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  ],
  [
    "Safari on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  ],
  ["Unknown browser", "curl/8.9.1"],
  ["A browser on Linux", "something (Linux)"],
  ["Unknown browser", null],
];

for (const [words, userAgent] of known) {
  test(`${String(userAgent).slice(0, 60)} is called ${words}`, () => {
    expect(describeBrowser(userAgent)).toBe(words);
  });
}
