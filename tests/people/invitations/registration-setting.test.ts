import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { invitations, invitationUses, switchedOff } from "#db/schema/site.ts";
import { users } from "#db/schema/users.ts";
import { invitationsAnswer, newInvitationAnswer } from "#src/people/invitations/schemas.ts";
import { createServer } from "#src/server.ts";
import { Reader, readerFor } from "#tests/pages/ssr/browser.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { asApplication } from "#tests/support/application.ts";
import { only } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { startProvider } from "../oidc/provider.ts";
import { Visitor } from "../oidc/visitor.ts";
import { openBrowser, type Person, userIn } from "../users/person.ts";

const provider = await startProvider();
afterFile(() => provider.stop());
const { deps, db, build, read, unchanged, set } = await testWorld({
  RATE_LIMITS: "off",
  ...provider.settings,
});
afterTest(() => db.delete(switchedOff));

const application = asApplication(deps);
/** The same installation with another value of the setting. */
const siteOf = (registration: "open" | "invited" | "off") =>
  createServer({ ...application, env: { ...deps.env, registration } });
const [open, invited, off] = [siteOf("open"), siteOf("invited"), siteOf("off")];
const admin = await build.admin();
const adminClient = await signedInClient(deps, invited, admin);

const FORM = "/users/guest_registration";
const PASSWORD = "nine lives and a day";
let made = 0;
function newForm(more: object = {}) {
  made += 1;
  const [email, username] = [`new${made}@example.test`, `Newcomer_${made}`];
  return { email, username, password: PASSWORD, password_confirmation: PASSWORD, ...more };
}

async function invite(terms: object = {}): Promise<{ id: number; secret: string }> {
  const { body } = await adminClient.send("POST", "/api/v1/invitations", { invitation: terms });
  const { invitation, url } = v.parse(newInvitationAnswer, body);
  return { id: invitation.id, secret: new URL(url).searchParams.get("invitation") ?? "" };
}

const listed = async (id: number) => {
  const { body } = await adminClient.get("/api/v1/invitations");
  return only(v.parse(invitationsAnswer, body).invitations.filter((each) => each.id === id));
};

async function register(person: Person, more: object = {}) {
  const response = await person.send("POST", FORM, { body: { user: newForm(more) } });
  return { status: response.status, body: await response.json() };
}

async function newGuest(server: typeof open): Promise<Person> {
  const person = await openBrowser(server);
  await userIn(await person.send("POST", "/users/guest"));
  return person;
}

const stranger = (server: typeof open) => openBrowser(server);
const refusals: [string, typeof open, { turnedOff?: true; invitation?: "good" | "bad" }, string, string][] = [
  ["off", off, {}, "switched_off", "has turned off registration"],
  ["off with an invitation", off, { invitation: "good" }, "switched_off", "has turned off registration"],
  ["turned off by the switch", open, { turnedOff: true }, "switched_off", "has turned off registration"],
  [
    "turned off by the switch, with an invitation",
    invited,
    { turnedOff: true, invitation: "good" },
    "switched_off",
    "has turned off registration",
  ],
  ["invited, without one", invited, {}, "not_invited", "gives out links to this page"],
  [
    "invited, with one that nobody made",
    invited,
    { invitation: "bad" },
    "not_invited",
    "is used up, too old",
  ],
];

for (const [what, server, { turnedOff, invitation }, code, sentence] of refusals) {
  test(`registration is ${what}: no way to an account but the provider, and nothing changes`, async () => {
    const secret = invitation === "good" ? (await invite()).secret : "nobody-made-this";
    const more = invitation === undefined ? {} : { invitation: secret };
    const people = { stranger: await stranger(server), guest: await newGuest(server) };
    if (turnedOff === true) await db.insert(switchedOff).values({ name: "registration" });
    for (const person of Object.values(people)) {
      const answer = await unchanged(() => register(person, more));
      expect(answer).toMatchObject({ status: 403, body: { code, error: expect.stringContaining(sentence) } });
    }
    // Without JavaScript: the page says why, and its form is refused in the same words.
    const address = invitation === undefined ? FORM : `${FORM}?invitation=${secret}`;
    for (const { cookies } of Object.values(people)) {
      const reader = new Reader(server);
      for (const [name, value] of cookies) reader.cookies.set(name, value);
      const page = await reader.open(address);
      const isForm = page.html.includes("user[email]");
      expect(isForm).toBe(code === "not_invited" && invitation !== undefined);
      if (!isForm) expect(page.html).toContain(sentence);
      const { email, username } = newForm();
      const fields = {
        "user[email]": email,
        "user[username]": username,
        "user[password]": PASSWORD,
        "user[terms]": "1",
      };
      const sent = await unchanged(() => reader.sendForm(address, fields));
      expect(sent).toMatchObject({ status: 403, html: expect.stringContaining(sentence) });
    }
    // The provider is a door of its own, and takes no invitation.
    const id = `p${(made += 1)}`;
    provider.people.set(id, { email: `${id}@example.test`, email_verified: true, name: id });
    const atProvider = new Visitor(server, provider);
    await atProvider.signInAs(id);
    expect(await userIn(await atProvider.get("/api/v1/users/me"))).toMatchObject({
      guest: false,
      email: `${id}@example.test`,
    });
  });
}

test("where registration is open, an invitation is not asked for and not used up", async () => {
  const { id, secret } = await invite();
  expect((await register(await stranger(open))).status).toBe(201);
  expect((await register(await newGuest(open), { invitation: secret })).status).toBe(201);
  expect(await listed(id)).toMatchObject({ uses: 0, state: "open", usedBy: [] });
});

test("a link leads to the form, makes an account of a guest too, and says who made and who used it; only its hash is stored", async () => {
  const { id, secret } = await invite({ uses_max: 2, valid_days: 3 });
  const guest = await newGuest(invited);
  const { user } = v.parse(
    v.object({ user: v.object({ id: v.number(), username: v.string() }) }),
    (await register(guest, { invitation: secret })).body,
  );
  const reader = new Reader(invited);
  const { email, username } = newForm();
  const fields = { "user[email]": email, "user[username]": username, "user[password]": PASSWORD };
  const address = `${FORM}?invitation=${secret}`;
  expect(await reader.sendForm(address, { ...fields, "user[terms]": "1" })).toMatchObject({ status: 302 });

  expect(await listed(id)).toMatchObject({
    usesMax: 2,
    uses: 2,
    state: "used_up",
    madeBy: admin.username,
    usedBy: [{ username }, user],
  });
  expect(await read.audit({ action: "make_invitation", subjectId: id })).toMatchObject([
    { actorId: admin.id, after: { usesMax: 2 } },
  ]);
  const uses = await read.audit({ action: "use_invitation", subjectId: id });
  expect(uses.map(({ actorId }) => actorId)).toContain(user.id);
  expect(uses).toHaveLength(2);
  const stored = await db.execute(sql`SELECT row_to_json(i)::text FROM invitations i`);
  expect(JSON.stringify([...stored])).not.toContain(secret);

  const answer = await unchanged(async () => register(await stranger(invited), { invitation: secret }));
  expect(answer).toMatchObject({ status: 403, body: { code: "not_invited" } });
});

test("20 registrations at once by an invitation for one make exactly one account", async () => {
  const { id, secret } = await invite();
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? stranger(invited) : newGuest(invited))),
  );
  const before = await db.$count(users, eq(users.guest, false));
  const answers = await Promise.all(people.map((person) => register(person, { invitation: secret })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(19);
  expect(await db.$count(users, eq(users.guest, false))).toBe(before + 1);
  expect(await db.$count(invitationUses, eq(invitationUses.invitationId, id))).toBe(1);
});

test("a form that is refused for its name takes no use of the invitation, and a repeated request one", async () => {
  const { id, secret } = await invite();
  const person = await stranger(invited);
  const taken = (await build.player()).username;
  expect((await register(person, { invitation: secret, username: taken })).status).toBe(422);
  expect(await listed(id)).toMatchObject({ uses: 0 });
  const request = { body: { user: newForm({ invitation: secret }) }, headers: { "idempotency-key": "once" } };
  const [first, again] = [await person.send("POST", FORM, request), await stranger(invited)];
  expect(first.status).toBe(201);
  expect((await again.send("POST", FORM, request)).status).toBe(201);
  expect(await listed(id)).toMatchObject({ uses: 1, usedBy: [{}] });
});

test("one that is too old or taken back is refused, and taking it back twice is one entry of the audit", async () => {
  const [old, revoked] = [await invite(), await invite()];
  await set(invitations, old.id, { expiresAt: sql`clock_timestamp()` });
  for (let times = 0; times < 2; times += 1)
    expect((await adminClient.send("DELETE", `/api/v1/invitations/${revoked.id}`)).status).toBe(204);
  expect(await read.audit({ action: "revoke_invitation", subjectId: revoked.id })).toHaveLength(1);
  for (const { id, secret } of [old, revoked]) {
    const answer = await unchanged(async () => register(await stranger(invited), { invitation: secret }));
    expect(answer).toMatchObject({ status: 403, body: { code: "not_invited" } });
    expect((await listed(id)).state).toBe(id === old.id ? "expired" : "revoked");
  }
});

test("only admins make, read and take back invitations; a link can be asked for again for a day", async () => {
  const player = await signedInClient(deps, invited, await build.player());
  const { id } = await invite();
  await unchanged(async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["DELETE", `/${id}`],
    ] as const)
      expect((await player.send(method, `/api/v1/invitations${path}`)).status).toBe(403);
  });
  const key = { "idempotency-key": "the same" };
  const make = () => adminClient.send("POST", "/api/v1/invitations", { invitation: {} }, key);
  expect((await make()).body).toEqual((await make()).body);
});

test("who has used an invitation is forgotten with the account", async () => {
  const { id, secret } = await invite();
  const person = await stranger(invited);
  await register(person, { invitation: secret });
  const own = { headers: {}, body: { user: { current_password: PASSWORD } } };
  expect((await person.send("PUT", "/api/v1/users/me/delete", own)).status).toBe(204);
  expect(await listed(id)).toMatchObject({ uses: 1, usedBy: [] });
});

test("an admin makes and takes back a link at /admin without JavaScript; elsewhere the page has no invitations", async () => {
  const reader = await readerFor(deps, invited, admin);
  const answer = await reader.sendForm("/admin", { intent: "invite", uses_max: "3", valid_days: "2" });
  expect(answer.status).toBe(200);
  const url = /guest_registration\?invitation=([\w-]+)/.exec(answer.html)?.[1] ?? "";
  expect((await register(await stranger(invited), { invitation: url })).status).toBe(201);
  const [row] = await db
    .select()
    .from(invitations)
    .orderBy(sql`id DESC`)
    .limit(1);
  expect(row).toMatchObject({ usesMax: 3, uses: 1 });
  await reader.sendForm("/admin", { intent: "revoke_invitation", id: `${row?.id}` });
  expect((await listed(row?.id ?? 0)).state).toBe("revoked");
  expect((await reader.open("/admin")).html).toContain("Make an invitation");
  const elsewhere = await readerFor(deps, open, admin);
  expect((await elsewhere.open("/admin")).html).not.toContain("Make an invitation");
});
