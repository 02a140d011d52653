import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { identities, signIns } from "#db/schema/users.ts";
import { tryProvider } from "#src/people/oidc/try-provider.ts";
import { makeAdmin } from "#src/people/users/make-admin.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { setRows } from "#tests/support/rows.ts";
import { testWorld } from "#tests/support/world.ts";
import { givePassword, openBrowser, PASSWORD, Person, userIn } from "../users/person.ts";
import { startProvider } from "./provider.ts";
import { Visitor } from "./visitor.ts";

const provider = await startProvider();
afterFile(() => provider.stop());
const world = await testWorld({ RATE_LIMITS: "off", ...provider.settings, OIDC_ONLY: "on" });
const { deps, db, server, build, unchanged } = world;
const ME = "/api/v1/users/me";
const HTML = { accept: "text/html" };

let count = 0;
async function signIn() {
  const id = `only-${(count += 1)}`;
  provider.people.set(id, { email: `${id}@example.test`, email_verified: true, name: id });
  const browser = new Visitor(server, provider);
  await browser.signInAs(id);
  return { id, browser, user: await userIn(await browser.get(ME)) };
}

test("with the provider alone there are no passwords, passkeys, registration or mails about passwords", async () => {
  const user = await build.player();
  await givePassword(deps, user.id);
  const stranger = await openBrowser(server);
  const { browser } = await signIn();
  const email = user.email ?? "";
  const closed: [Person, string, string, unknown][] = [
    [stranger, "POST", "/users/sign_in", { user: { email, password: PASSWORD } }],
    [stranger, "POST", "/users/guest_registration", { user: {} }],
    [stranger, "POST", "/users/password", { user: { email } }],
    [stranger, "POST", "/users/unlock", { user: { email } }],
    [stranger, "POST", "/users/sign_in/passkey/options", undefined],
    [stranger, "POST", "/users/sign_in/passkey", { user: {} }],
    [browser, "PUT", `${ME}/password`, { user: {} }],
    [browser, "POST", `${ME}/passkeys/options`, undefined],
    [browser, "POST", `${ME}/passkeys`, { passkey: {} }],
  ];
  await unchanged(async () => {
    for (const [person, method, path, body] of closed) {
      const answer = await person.send(method, path, { body });
      expect([path, answer.status, await answer.json()]).toMatchObject([
        path,
        403,
        { code: "provider_only", error: "Here everybody signs in with Acme." },
      ]);
    }
  });
  const page = await (await stranger.get("/users/sign_in?return_to=/leaderboard", HTML)).text();
  expect(page).toContain('href="/users/sign_in/oidc?return_to=%2Fleaderboard"');
  expect(page).not.toContain("user[password]");
  for (const path of ["/users/guest_registration", "/users/password"])
    expect((await stranger.get(path, HTML)).headers.get("location")).toBe("/users/sign_in");
});

test("the command line lets an admin in by a link, also one who has a password", async () => {
  const user = await build.player();
  await givePassword(deps, user.id);
  await makeConfirmed(user.id);
  const { passwordUrl } = await makeAdmin(deps, user.email ?? "");
  const secret = new URL(passwordUrl ?? "").searchParams.get("reset_password_token");
  const browser = await openBrowser(server);
  const password = "nine green ladders";
  const body = {
    user: { reset_password_token: secret, password, password_confirmation: password },
  };
  expect((await browser.send("PUT", "/users/password", { body })).status).toBe(200);
  expect(await userIn(await browser.get(ME))).toMatchObject({ id: user.id, roles: ["admin"] });
});

async function makeConfirmed(userId: number): Promise<void> {
  await db.execute(sql`UPDATE users SET confirmed_at = clock_timestamp() WHERE id = ${userId}`);
}

const remove = { user: { current_password: "oidc" } };

test("an account without a password is deleted after one more sign-in at the provider, and then nothing knows the person", async () => {
  const { id, browser, user } = await signIn();
  expect((await unchangedBut(() => browser.send("PUT", `${ME}/delete`, { body: remove }))).status).toBe(422);
  expect(await browser.signInAs(id, "?confirm=1&return_to=/profile/account")).toBe("/profile/account");
  const account = await (await browser.get(`${ME}/account`)).json();
  expect(account).toMatchObject({ account: { provider: { hasPassword: false, proven: true } } });
  const file = await (await browser.get(`${ME}/export.json`)).text();
  expect(file).toContain(`"subject":"${id}"`);
  expect(file).not.toContain("idToken");
  expect((await browser.send("PUT", `${ME}/delete`, { body: remove })).status).toBe(204);
  expect(await db.$count(identities, eq(identities.userId, user.id))).toBe(0);
});

/** A wrong password is counted; nothing else changes. */
async function unchangedBut(work: () => Promise<Response>): Promise<Response> {
  const before = await db.$count(identities);
  const answer = await work();
  expect(await db.$count(identities)).toBe(before);
  return answer;
}

test("somebody else at the provider, an old sign-in there, and one that is long ago confirm nothing", async () => {
  const { id, browser, user } = await signIn();
  const { id: other } = await signIn();
  browser.forgetProvider();
  const account = "/profile/account?oidc=";
  expect(await unchanged(() => browser.signInAs(other, "?confirm=1"))).toBe(`${account}somebody_else`);
  provider.state.lie = { claims: { auth_time: 1_000_000_000 } };
  expect(await unchanged(() => browser.signInAs(id, "?confirm=1"))).toBe(`${account}refused`);
  provider.state.lie = null;
  await browser.signInAs(id, "?confirm=1");
  await setRows(db, signIns, eq(signIns.userId, user.id), {
    provenAt: sql`clock_timestamp() - interval '11 minutes'`,
  });
  expect((await browser.send("PUT", `${ME}/delete`, { body: remove })).status).toBe(422);
});

test("without the settings there is no such address, button or key", async () => {
  const { oidc: _oidc, ...others } = deps.env;
  const plain = createServer({ ...deps, env: { ...others, oidc: null } });
  const person = new Person(plain);
  for (const path of [
    "/users/sign_in/oidc",
    "/users/sign_in/oidc/callback?state=x",
    "/users/sign_in/oidc/sign_out",
  ]) {
    expect((await person.get(path, HTML)).status).toBe(404);
    expect((await person.get(path)).status).toBe(404);
  }
  const answer = await person.get("/users/sign_in", HTML);
  expect(await answer.text()).not.toContain("oidc");
  expect(answer.headers.get("content-security-policy")).toContain("form-action 'self';");
});

test("the doctor names the setting that is wrong", async () => {
  const { env } = deps;
  if (env.oidc === null) throw new Error("The settings have a provider.");
  expect(await tryProvider(env, env.oidc)).toBeNull();
  const wrong = async (changes: Partial<typeof env.oidc>, of: Partial<typeof env> = {}) => {
    if (env.oidc === null) return "";
    const found = await tryProvider({ ...env, ...of }, { ...env.oidc, ...changes });
    return `${found?.said} ${found?.cure}`;
  };
  const roles = { claim: "gruops", admin: ["a"], operator: [], host: [] };
  expect(await wrong({ issuer: `${provider.issuer}/other` })).toContain("Correct OIDC_ISSUER");
  expect(await wrong({ issuer: "http://127.0.0.1:9" })).toContain("Correct OIDC_ISSUER");
  expect(await wrong({ clientSecret: "another" })).toContain("OIDC_CLIENT_SECRET");
  expect(await wrong({ clientId: "another" })).toContain("OIDC_CLIENT_ID");
  expect(await wrong({ scopes: "openid emial" })).toContain("no scope emial");
  expect(await wrong({ roles })).toContain("no claim gruops");
  expect(await wrong({}, { publicUrl: "https://elsewhere.example.test" })).toContain("redirect address");
});
