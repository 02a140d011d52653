import { expect, test } from "bun:test";
import { count, eq } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { signIns, users } from "#db/schema/users.ts";
import { lookOfName } from "#src/base/normalize-text.ts";
import { verifyPassword } from "#src/people/sign-ins/passwords.ts";
import { USERNAME_LETTERS } from "#src/people/users/contract.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { keepRemoved, refuseRemoved } from "#src/people/users/judge-username.ts";
import { usernameField } from "#src/people/users/schemas.ts";
import { isUsername } from "#src/people/users/usernames/contract.ts";
import { signedInClient } from "#tests/support/client.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { linkMailedTo } from "./mailbox.ts";
import { openBrowser, Person, userIn } from "./person.ts";

const PASSWORD = "nine lives and a day";

const { deps, server, build, read } = await testWorld();

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
const rowOf = (id: number) => read.row(users, id);
const signInsOf = (id: number) => deps.pool.db.select().from(signIns).where(eq(signIns.userId, id));

async function buildGuest(): Promise<{ person: Person; id: number }> {
  const person = await openBrowser(server);
  const { id } = await userIn(await person.send("POST", "/users/guest"));
  return { person, id };
}

test("a guest who creates an account keeps the id, the gid, the wallet and the calls", async () => {
  const { person, id } = await buildGuest();
  const event = await build.event("open");
  const callId = await build.call({ userId: id, eventId: event.id, side: "true", wagerCents: 700 });
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
  expect(await read.differences()).toEqual([]);
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
  ["a name that ends in two dots", { username: "ana b.." }, { username: [`can have ${USERNAME_LETTERS}`] }],
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
  const player = await build.player();
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

const nobody = { address: "", userAgent: null };
const guest = (username: string) => createGuest(deps, nobody, { username });
const judge = (name: string) => v.safeParse(usernameField, name);

test.each([
  ["Zoë", "Zoë"],
  ["O'Brien", "O'Brien"],
  ["O’Brien", "O'Brien"],
  ["李雷", "李雷"],
  ["Jo", "Jo"],
  ["Anna B", "Anna B"],
  ["  Anna \u00a0 B ", "Anna B"],
  ["Jean‑Luc", "Jean-Luc"],
  ["J. R. Ewing", "J. R. Ewing"],
  ["J.R.R", "J.R.R"],
  ["Nguyễn Thị Ánh", "Nguyễn Thị Ánh"],
  ["Zoe\u0308", "Zoë"],
  ["علي رضا", "علي رضا"],
  ["علی\u200cرضا", "علی\u200cرضا"],
  ["שָׂרָה", "שָׂרָה".normalize("NFC")],
  ["अनुष्का", "अनुष्का"],
  ["สมพร", "สมพร"],
  ["ကျော်", "ကျော်"],
  ["ဖြိုး မျိုး", "ဖြိုး မျိုး"],
  ["김민준", "김민준"],
  ["Ќирил ٣", "Ќирил ٣"],
  ["lucky_lena", "lucky_lena"],
  ["_x_", "_x_"],
  ["a__b", "a__b"],
  ["ana\u200bbel", "anabel"],
  ["ג׳ורג׳", "ג'ורג'"],
  ["רמב״ם", "רמב'ם"],
  ['רמב"ם', "רמב'ם"],
  ["湯姆‧克魯斯", "湯姆·克魯斯"],
  ["བསྟན་འཛིན་", "བསྟན་འཛིན"],
])("a name of somebody is taken as it is written: %j", (typed, written) => {
  const { success, output } = judge(typed);
  expect(success ? output : null).toBe(written);
});

/** Of people in more than 20 languages. */
const people = `Anna B., Niccolò de' Medici, Youp van 't Hek, Gerard 't Hooft, J.-P. Belmondo, Sammy Davis Jr., Gal·la Placídia, D'Arcy Wretzky,
  Siobhán O'Connor, Björk, Þóra Hallgríms, Łukasz Żal, Dvořák Antonín, Nguyễn Văn Thiệu, İsmet İnönü, Ngũgĩ wa Thiong'o, Kaʻiulani, Renée-Claude,
  ג'ורג', ז'בוטינסקי, דוד בן-גוריון, أم كلثوم, محمد‌رضا شجریان, Мар'яна Безугла, Ґалаґан, Αλέξης Τσίπρας, Գարեգին Նժդեհ, შოთა რუსთაველი,
  राम, लक्ष्मी सहगल, সত্যজিৎ রায়, ਗੁਰੂ ਨਾਨਕ, நா. முத்துக்குமார், మహేష్ బాబు, മോഹന്‍ലാല്‍, ක්‍රිෂ්ණා, ยิ่งลักษณ์ ชินวัตร, អុំ សំអាត,
  အောင်ဆန်း, བསྟན་འཛིན, ኃይለ ገብረሥላሴ, マイケル・J, さとう ゆうこ, 列奥纳多·达·芬奇, 김연아, ᏎᏉᏯ, ⵎⴰⵙⵙⵉⵏⵉⵙⵙⴰ, 𞤓𞤣𞤤𞤢𞤥`;

test("a name of somebody is taken as it is written in every language", () => {
  const names = people.split(/,\s+/);
  expect(names.length).toBeGreaterThan(40);
  expect(names.map((name) => judge(name).output)).toEqual(names.map((name) => name.normalize("NFC")));
});

test.each([
  "",
  "李",
  "..",
  "·'",
  "·Anna",
  "Anna·",
  "An··na",
  "An་na",
  "Anna '",
  "Anna.'",
  "a".repeat(21),
  "Anna  -B",
  "-Anna",
  "Anna!",
  "😀😀",
  "a/b",
  "<b>",
  "Z\u0300\u0301\u0302\u0303!",
])("%j is refused", (typed) => {
  expect(judge(typed).success).toBe(false);
});

test.each([
  "Admin",
  "admin1",
  "Аdmin",
  "A.d.m.i.n",
  "Ad·min.",
  "Ad・min'",
  "Adm\u0e31in",
  "The Admin",
  "Anna official",
  "Ädmin",
  "called it",
  "guest 12",
  "Guest_7",
  "gone_1",
])("%j could be mistaken for somebody of the product", async (typed) => {
  const before = await deps.pool.db.$count(users);
  expect((await refusalOf(Promise.resolve(typed).then(guest))).details.errors).toEqual({
    username: ["is reserved"],
  });
  expect(await deps.pool.db.$count(users)).toBe(before);
});

test.each(["Joe Root", "Guest Smith", "Jennifer Null", "Mary Host", "Systema", "Adminah"])(
  "%j is a name",
  async (name) => {
    expect(judge(name).success).toBe(true);
    expect((await guest(name)).viewer.username).toBe(name);
  },
);

test.each([
  ["Anna", "Аnna", "with a Cyrillic A"],
  ["Marina", "МАRІNА", "with capitals of two scripts"],
  ["Paola", "Ρaοla", "with Greek letters"],
  ["Vera", "νera", "with a small Greek letter"],
  ["Nina", "ΝΙΝΑ", "in Greek capitals"],
  ["Nora", "Ｎｏｒａ", "in full width"],
  ["Яна", "ЯНА", "in capitals"],
  ["Νικος", "ΝΙΚΟΣ", "in capitals"],
  ["υπνος", "Υπνος", "with a capital"],
  ["Борис", "борис", "in small letters"],
  ["Əli", "əli", "in small letters"],
  ["Zoë", "Zoe\u0308", "in another form"],
  ["Gal·la", "Gal・la", "with a dot of Japan"],
  ["Anna·B.", "Аnna‧B.", "with another dot and letter"],
])("nobody is called like %s, %s, %s", async (name, alike) => {
  await guest(name);
  const before = await deps.pool.db.select({ all: count() }).from(users);
  const { output } = judge(alike);
  expect((await refusalOf(guest(String(output)))).details.errors).toEqual({
    username: ["has already been taken"],
  });
  const player = await build.player();
  const client = await signedInClient(deps, server, player);
  const renamed = await client.send("PATCH", `/api/v1/users/${player.id}`, { user: { username: alike } });
  expect(renamed).toMatchObject({ status: 422, body: { errors: { username: ["has already been taken"] } } });
  const [{ all } = { all: 0 }] = await deps.pool.db.select({ all: count() }).from(users);
  expect(all).toBe((before[0]?.all ?? 0) + 1);
});

test("a name and the same in capitals look alike in every script", () => {
  const letters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code));
  const smalls = letters.filter((letter) => /\p{Ll}/u.test(letter) && isUsername(letter));
  expect(smalls.length).toBeGreaterThan(1_500);
  const isApart = (name: string) => lookOfName(name) !== lookOfName(name.toUpperCase());
  expect(smalls.filter(isApart)).toEqual([]);
});

test("an accent makes another name", async () => {
  for (const name of ["Andre", "André", "Andrè"]) await guest(name);
});

test("a name that was taken away does not come back in another way to write it", async () => {
  const { db } = deps.pool;
  await inTransaction(db, (tx) => keepRemoved(tx, "Nasty Nick"));
  for (const again of ["nasty_nick", "NastyNick", "Násty-Nick", "Nаsty Nіck", "Nasty.Nick", "Nas·ty Nick."])
    expect((await refusalOf(refuseRemoved(db, again))).details.errors).toEqual({
      username: ["was taken away by a host"],
    });
  await refuseRemoved(db, "Nasty Nicki");
});

test.each([
  ["राम", "रमा"],
  ["สมพร", "สมพุร"],
  ["ကျော်", "ကျာ်"],
  ["ハナ", "バナ"],
])("%s, who was taken away, is not %s", async (name, other) => {
  const { db } = deps.pool;
  await inTransaction(db, (tx) => keepRemoved(tx, name));
  await refuseRemoved(db, other);
  await refusalOf(refuseRemoved(db, name));
});
