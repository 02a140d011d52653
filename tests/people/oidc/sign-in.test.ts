import { expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { notifications } from "#db/schema/notifications.ts";
import { identities, signIns, userRoles, users } from "#db/schema/users.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { setRows } from "#tests/support/rows.ts";
import { testWorld } from "#tests/support/world.ts";
import { givePassword, Person, userIn } from "../users/person.ts";
import { startProvider } from "./provider.ts";
import { Visitor } from "./visitor.ts";

const provider = await startProvider();
afterFile(() => provider.stop());
const world = await testWorld({ RATE_LIMITS: "off", ...provider.settings });
const { deps, db, server, build, read } = world;
const visitor = () => new Visitor(server, provider);

let count = 0;
/** A new person of the provider. */
function newPerson(claims: Record<string, unknown> = {}) {
  count += 1;
  const id = `person-${count}`;
  const email = `person${count}@example.test`;
  provider.people.set(id, { email, email_verified: true, name: `Person ${count}`, ...claims });
  return { id, email };
}

const me = async (person: Person) => {
  const response = await person.get("/api/v1/users/me");
  return response.ok ? userIn(response) : null;
};
const accountOf = async (email: string) => {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row ?? null;
};

test("a person who comes for the first time gets an account with the name and the confirmed address, and is told", async () => {
  const { id, email } = newPerson();
  const browser = visitor();
  expect(await browser.signInAs(id, "?return_to=/leaderboard")).toBe("/leaderboard");
  expect(await me(browser)).toMatchObject({ email, username: `Person ${count}`, guest: false, roles: [] });
  const account = await accountOf(email);
  expect(account).toMatchObject({ passwordHash: null, confirmedAt: expect.any(Date) });
  const told = and(eq(mails.recipient, email), eq(mails.kind, "provider_linked"));
  expect(await db.$count(mails, told)).toBe(1);
});

test("the same person comes back to the same account, also with another address and name", async () => {
  const { id } = newPerson();
  const browser = visitor();
  await browser.signInAs(id);
  const first = await me(browser);
  provider.people.set(id, { email: "moved@example.test", email_verified: false, name: "Somebody" });
  const other = visitor();
  expect(await other.signInAs(id)).toBe("/sessions");
  expect(await me(other)).toMatchObject({ ...first });
});

test("a confirmed account with the same address is the person's from then on", async () => {
  const { id, email } = newPerson();
  const user = await build.player();
  await setRows(db, users, user.id, { email, confirmedAt: sql`clock_timestamp()` });
  const browser = visitor();
  await browser.signInAs(id);
  expect(await me(browser)).toMatchObject({ id: user.id });
});

test("a guest becomes the new account and keeps name, id and wallet", async () => {
  const { id, email } = newPerson();
  const browser = visitor();
  await browser.get("/api/v1/users/me");
  await browser.send("POST", "/users/guest", { body: { user: { username: "Zoë B" } } });
  const guest = await me(browser);
  expect(await browser.signInAs(id)).toBe("/sessions");
  expect(await me(browser)).toMatchObject({ id: guest?.id ?? 0, username: "Zoë B", email, guest: false });
});

test("a guest becomes a part of an account that exists, or stays behind where the person wants that", async () => {
  const { id, email } = newPerson();
  await visitor().signInAs(id);
  const account = await accountOf(email);
  for (const [query, mergedInto] of [
    ["", account?.id],
    ["?guest=leave", null],
  ] as const) {
    const browser = visitor();
    await browser.get("/api/v1/users/me");
    await browser.send("POST", "/users/guest", { body: { user: {} } });
    const guest = await me(browser);
    await browser.signInAs(id, query);
    expect(await me(browser)).toMatchObject({ id: account?.id });
    const [row] = await db
      .select()
      .from(users)
      .where(eq(users.id, guest?.id ?? 0));
    expect(row?.mergedInto).toBe(mergedInto ?? null);
  }
});

test("a logout here leads to the logout there, and back", async () => {
  const { id } = newPerson();
  const browser = visitor();
  await browser.signInAs(id);
  const proof = () => db.$count(signIns, isNotNull(signIns.idToken));
  const others = (await proof()) - 1;
  await browser.send("DELETE", "/users/sign_out");
  expect(await proof()).toBe(others);
  const there = await browser.open("/users/sign_in/oidc/sign_out");
  expect(there).toStartWith(`${provider.issuer}/session/end`);
  expect(await browser.followAtProvider(there)).toBe("/users/sign_in");
  // Nobody is signed in at the provider any more, so it would ask.
  provider.state.signsIn = null;
  const begun = await browser.open("/users/sign_in/oidc");
  expect(await browser.followAtProvider(begun)).toContain("Who are you?");
  expect(await browser.open("/users/sign_in/oidc/sign_out")).toBe("/users/sign_in");
});

test("a new key of the provider counts at once", async () => {
  const { id } = newPerson();
  await visitor().signInAs(id);
  provider.useNewKey();
  const browser = visitor();
  expect(await browser.signInAs(id)).toBe("/sessions");
});

/** Each is refused by one check. */
const lies: [string, NonNullable<typeof provider.state.lie>][] = [
  ["another issuer", { claims: { iss: "https://evil.example.test" } }],
  ["a token for another site", { claims: { aud: "somebody-else" } }],
  ["another nonce", { claims: { nonce: "another" } }],
  ["a token that has expired", { claims: { exp: 1_000_000_000 } }],
  ["a token of tomorrow", { claims: { nbf: 9_999_999_999 } }],
  ["another key", { key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey }],
];

test.each(lies)("%s is refused, and nothing changes", async (_name, lie) => {
  const { id } = newPerson();
  const browser = visitor();
  provider.state.lie = lie;
  expect(await world.unchanged(() => browser.signInAs(id))).toBe("/users/sign_in?oidc=refused");
  expect(await me(browser)).toBeNull();
  // What is signed again without a lie is taken: the lie was what is refused.
  provider.state.lie = {};
  expect(await browser.signInAs(id)).toBe("/sessions");
  provider.state.lie = null;
});

test("a code that comes without its state, in another browser, or once more is refused", async () => {
  const { id } = newPerson();
  const [browser, other] = [visitor(), visitor()];
  const code = await browser.bringCode(id);
  const again = "/users/sign_in?oidc=begin_again";
  await other.get("/users/sign_in", { accept: "text/html" });
  await world.unchanged(async () => {
    expect(await browser.open(code.replace(/state=[^&]+/, "state=made-up"))).toBe(again);
    expect(await other.open(code)).toBe(again);
  });
  // The other browser has used the state up.
  expect(await browser.open(code)).toBe(again);
  const second = await browser.bringCode(id);
  expect(await browser.open(second)).toBe("/sessions");
  expect(await world.unchanged(() => browser.open(second))).toBe(again);
});

test("a code that was used at the provider already is refused there", async () => {
  const { id } = newPerson();
  const browser = visitor();
  const first = await browser.bringCode(id);
  const second = await browser.bringCode(id);
  const codeOf = (address: string) => /code=([^&]+)/.exec(address)?.[1] ?? "";
  await browser.open(first);
  const replayed = second.replace(codeOf(second), codeOf(first));
  await browser.send("DELETE", "/users/sign_out");
  const third = (await browser.bringCode(id)).replace(/code=[^&]+/, `code=${codeOf(first)}`);
  expect(replayed).not.toBe(second);
  expect(await world.unchanged(() => browser.open(third))).toBe("/users/sign_in?oidc=refused");
});

test("who cancels at the provider reads that it was not confirmed", async () => {
  const browser = visitor();
  const { searchParams } = new URL(await browser.open("/users/sign_in/oidc"));
  const query = new URLSearchParams({
    error: "access_denied",
    state: searchParams.get("state") ?? "",
    iss: provider.issuer,
  });
  expect(await world.unchanged(() => browser.open(`/users/sign_in/oidc/callback?${query}`))).toBe(
    "/users/sign_in?oidc=refused",
  );
});

test("a provider that is away is told, and all else goes on", async () => {
  const { id, email } = newPerson();
  const browser = visitor();
  const code = await browser.bringCode(id);
  provider.setAway(true);
  const away = "/users/sign_in?oidc=away";
  expect(await world.unchanged(() => browser.open("/users/sign_in/oidc"))).toBe(away);
  expect(await world.unchanged(() => browser.open(code))).toBe(away);
  const page = await (await browser.get(away, { accept: "text/html" })).text();
  expect(page).toContain("Acme does not answer right now. Try again in a minute.");
  expect(page).toContain("Acme did not answer a moment ago.");
  const user = await build.player();
  await givePassword(deps, user.id);
  const byPassword = new Person(server);
  expect((await byPassword.signIn(user.email)).status).toBe(200);
  provider.setAway(false);
  expect(await browser.signInAs(id)).toBe("/sessions");
  expect(await me(browser)).toMatchObject({ email });
});

test("an address that the provider has not checked, or does not say, makes and opens no account", async () => {
  const owner = await build.player();
  for (const [claims, code] of [
    [{ email: owner.email, email_verified: false }, "unverified"],
    [{ email_verified: undefined }, "unverified"],
    [{ email: undefined }, "no_email"],
    [{ email: "not an address" }, "no_email"],
  ] as const) {
    const { id } = newPerson(claims);
    const browser = visitor();
    expect(await world.unchanged(() => browser.signInAs(id))).toBe(`/users/sign_in?oidc=${code}`);
    expect(await me(browser)).toBeNull();
  }
});

test("an address that somebody else has here is refused: not confirmed, or of another person of the provider", async () => {
  const unconfirmed = newPerson();
  const user = await build.player();
  await setRows(db, users, user.id, { email: unconfirmed.email, confirmedAt: null });
  await givePassword(deps, user.id);
  const first = visitor();
  expect(await world.unchanged(() => first.signInAs(unconfirmed.id))).toBe(
    "/users/sign_in?oidc=unconfirmed_here",
  );
  const { id, email } = newPerson();
  await visitor().signInAs(id);
  const successor = newPerson({ email });
  const second = visitor();
  const taken = "/users/sign_in?oidc=taken";
  expect(await world.unchanged(() => second.signInAs(successor.id))).toBe(taken);
  expect(await me(second)).toBeNull();
  const page = await (await second.get(taken, { accept: "text/html" })).text();
  expect(page).toContain("Ask an admin of this site");
});

test("an admin unlinks an account, which is signed out, told of it, and the next person's with its address", async () => {
  const { id, email } = newPerson();
  const browser = visitor();
  await browser.signInAs(id);
  const account = await me(browser);
  const userId = account?.id ?? 0;
  const path = `/api/v1/users/${userId}`;
  const admin = await world.client(await build.admin());
  expect((await admin.get(path)).body).toMatchObject({ user: { linked: true } });
  const [own] = await db.select().from(userRoles).where(eq(userRoles.role, "admin")).limit(1);
  const ofAdmin = `/api/v1/users/${own?.userId}/unlink`;
  expect((await world.unchanged(() => admin.send("PUT", ofAdmin))).status).toBe(422);
  const unlink = () => admin.send("PUT", `${path}/unlink`, { user: { reason: "Hired again" } });
  expect(await unlink()).toMatchObject({ status: 200, body: { user: { linked: false } } });
  expect(await me(browser)).toBeNull();
  expect(await world.unchanged(unlink)).toMatchObject({ status: 200 });
  expect(await read.audit({ action: "unlink_provider", subjectId: userId })).toMatchObject([
    { actorId: own?.userId, reason: "Hired again" },
  ]);
  const told = and(eq(notifications.userId, userId), eq(notifications.kind, "security"));
  expect(await db.$count(notifications, told)).toBe(1);
  const again = visitor();
  expect(await again.signInAs(newPerson({ email }).id)).toBe("/sessions");
  expect(await me(again)).toMatchObject({ id: userId });
});

test("a guest with an open call stays a guest, and nothing changes", async () => {
  const { id } = newPerson();
  await visitor().signInAs(id);
  const browser = visitor();
  await browser.get("/api/v1/users/me");
  await browser.send("POST", "/users/guest", { body: { user: {} } });
  const guest = await me(browser);
  const { event } = await world.build.openShow();
  await build.call({ userId: guest?.id ?? 0, eventId: event.id });
  const refused = await world.unchanged(() => browser.signInAs(id));
  expect(refused).toBe("/users/sign_in?oidc=open_calls");
  expect(await me(browser)).toMatchObject({ id: guest?.id ?? 0 });
  const page = await (await browser.get(refused, { accept: "text/html" })).text();
  expect(page).toContain('href="/users/sign_in/oidc?guest=leave"');
});

test("a deactivated account is not signed in", async () => {
  const { id, email } = newPerson();
  await visitor().signInAs(id);
  await setRows(db, users, eq(users.email, email), { deactivatedAt: sql`clock_timestamp()` });
  const browser = visitor();
  expect(await world.unchanged(() => browser.signInAs(id))).toBe("/users/sign_in?oidc=inactive");
});

test("two first sign-ins at once make one account", async () => {
  const { id, email } = newPerson();
  const browsers = [visitor(), visitor()];
  const codes: string[] = [];
  for (const browser of browsers) codes.push(await browser.bringCode(id));
  expect(await Promise.all(browsers.map((browser, at) => browser.open(codes[at] ?? "")))).toEqual([
    "/sessions",
    "/sessions",
  ]);
  const account = await accountOf(email);
  expect(await db.$count(identities, eq(identities.userId, account?.id ?? 0))).toBe(1);
  expect(await db.$count(signIns, eq(signIns.userId, account?.id ?? 0))).toBe(2);
});

test("nobody is led to another site", async () => {
  const { id } = newPerson();
  expect(await visitor().signInAs(id, "?return_to=https://evil.example.test")).toBe("/sessions");
  expect(await visitor().signInAs(id, "?return_to=//evil.example.test")).toBe("/sessions");
});
