import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { signIns, users } from "#db/schema/users.ts";
import { verifyPassword } from "#src/people/sign-ins/passwords.ts";
import { USERNAME_LETTERS } from "#src/people/users/contract.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildCall, buildEvent, buildPlayer, only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { linkMailedTo } from "./mailbox.ts";
import { Person, userIn, openBrowser } from "./person.ts";

const PASSWORD = "nine lives and a day";

const { deps, server } = await testWorld();

let made = 0;
function newForm() {
  made += 1;
  return {
    email: `Newcomer${made}@Example.test`,
    username: `Newcomer_${made}`,
    password: PASSWORD,
    password_confirmation: PASSWORD,
  };
}

const register = (person: Person, user: object) =>
  person.send("POST", "/users/guest_registration", { body: { user } });
const rowOf = async (id: number) => only(await deps.pool.db.select().from(users).where(eq(users.id, id)));
const signInsOf = (id: number) => deps.pool.db.select().from(signIns).where(eq(signIns.userId, id));

async function buildGuest(): Promise<{ person: Person; id: number }> {
  const person = await openBrowser(server);
  const { id } = await userIn(await person.send("POST", "/users/guest"));
  return { person, id };
}

test("a guest who creates an account keeps the id, the gid, the wallet and the calls", async () => {
  const { person, id } = await buildGuest();
  const event = await buildEvent(deps, "open");
  const callId = await buildCall(deps, { userId: id, eventId: event.id, side: "true", wagerCents: 700 });
  const form = newForm();

  const response = await register(person, form);
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({
    user: {
      id,
      gid: `gid://called-it/User/${id}`,
      email: form.email.toLowerCase(),
      username: form.username,
      guest: false,
    },
  });
  const me = await person.get("/api/v1/users/me");
  expect(await me.json()).toMatchObject({
    user: {
      id,
      guest: false,
      wallet: { availableBalanceCents: 9_300 },
      calls: [{ id: callId, wagerCents: 700 }],
    },
  });
  const row = await rowOf(id);
  expect(row.confirmedAt).toBeNull();
  expect(await verifyPassword(PASSWORD, row.passwordHash)).toBe(true);
  expect(await listDifferences(deps.pool.db)).toEqual([]);
});

test("the account gets a new sign-in and token; those of the guest become invalid", async () => {
  const { person, id } = await buildGuest();
  const copy = new Person(server);
  copy.cookies.set("called_it", String(person.cookies.get("called_it")));
  copy.token = person.token;
  await register(person, newForm());

  const [old, fresh] = (await signInsOf(id)).toSorted(
    (one, other) => Number(one.createdAt) - Number(other.createdAt),
  );
  expect(old?.endedAt).not.toBeNull();
  expect(fresh?.endedAt).toBeNull();
  expect(fresh?.csrfSecret).not.toBe(old?.csrfSecret ?? "");
  expect((await copy.get("/api/v1/users/me")).status).toBe(401);
  expect((await person.get("/api/v1/users/me")).status).toBe(200);
});

test("a mail asks to confirm the address within a day", async () => {
  const { person, id } = await buildGuest();
  const form = newForm();
  await register(person, form);
  const [mail] = await deps.pool.db.select().from(mails).where(eq(mails.userId, id));
  expect(mail).toMatchObject({ kind: "confirm_email", recipient: form.email.toLowerCase() });
  const { confirmBy } = await rowOf(id);
  expect(Number(confirmBy) - Date.now()).toBeWithin(23 * 3_600_000, 25 * 3_600_000);
});

type Refused = [what: string, fields: object, errors: Record<string, string[]>];
const refusals: Refused[] = [
  [
    "nothing",
    { email: "", username: "", password: "" },
    { email: ["can't be blank"], username: ["can't be blank"], password: ["can't be blank"] },
  ],
  ...["ana@", "ana@one.example,ben@two.example", "ana@gmail", "ana@127.0.0.1", "<ana@one.example>"].map(
    (email): Refused => [`the address ${email}`, { email }, { email: ["is invalid"] }],
  ),
  ["a name that ends in a dot", { username: "ana b." }, { username: [`can have ${USERNAME_LETTERS}`] }],
  ["our own names", { username: "Admin" }, { username: ["is reserved"] }],
  ["a guest's name", { username: "guest_7" }, { username: ["is reserved"] }],
  [
    "a password that everybody has",
    { password: "password1", password_confirmation: "password1" },
    { password: ["is too easily guessed"] },
  ],
  ["terms that are not accepted", { terms: "0" }, { terms: ["must be accepted"] }],
  ["an unticked checkbox", { terms: "" }, { terms: ["must be accepted"] }],
  ["terms that are refused", { terms: false }, { terms: ["must be accepted"] }],
  ["terms without a value", { terms: null }, { terms: ["must be accepted"] }],
];
for (const [what, fields, errors] of refusals) {
  test(`${what}: refused with an error, and the guest stays a guest`, async () => {
    const { person, id } = await buildGuest();
    const before = await rowOf(id);
    const response = await register(person, { ...newForm(), ...fields });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "invalid", errors });
    expect(await rowOf(id)).toEqual(before);
    expect(await signInsOf(id)).toMatchObject([{ endedAt: null }]);
    expect(await deps.pool.db.$count(mails, eq(mails.userId, id))).toBe(0);
  });
}

test("an address and a name that another user has, in any case, are refused", async () => {
  const player = await buildPlayer(deps);
  const { person, id } = await buildGuest();
  const form = { ...newForm(), email: player.email?.toUpperCase(), username: player.username.toUpperCase() };
  const before = await rowOf(id);
  const response = await register(person, form);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    error: "Validation failed: Email has already been taken, Username has already been taken",
    errors: { email: ["has already been taken"], username: ["has already been taken"] },
  });
  expect(await rowOf(id)).toEqual(before);
});

test("of two guests who register the same name at once, one gets it, the other is refused", async () => {
  const guests = [await buildGuest(), await buildGuest()];
  const { username } = newForm();
  const answers = await Promise.all(guests.map(({ person }) => register(person, { ...newForm(), username })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = answers.find(({ status }) => status === 422);
  expect(await refused?.json()).toMatchObject({ errors: { username: ["has already been taken"] } });
});

test("a form that is sent twice at once creates one account", async () => {
  const { person, id } = await buildGuest();
  const forms = [newForm(), newForm()];
  const answers = await Promise.all(forms.map((form) => register(person, form)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await deps.pool.db.$count(mails, eq(mails.userId, id))).toBe(1);
});

test.each([
  "o'brien@example.test",
  "d&e@example.test",
  "=1+1@example.test",
  "a_b.c+d{e}@my--host.test",
  "post@xn--bcher-kva.example",
  "post@xn--80ak6aa92e.xn--p1ai",
])("the address %s gets an account, its mail, and signs in", async (email) => {
  expect((await register(await openBrowser(server), { ...newForm(), email })).status).toBe(201);
  expect(await linkMailedTo(deps, email)).toStartWith("/users/confirmation?");
  const signedIn = await new Person(server).signIn(email, PASSWORD);
  expect(await userIn(signedIn)).toMatchObject({ email, guest: false });
});
