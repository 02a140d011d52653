import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { passkeys } from "#db/schema/passkeys.ts";
import { signIns } from "#db/schema/users.ts";
import { FRESH_S } from "#src/people/passkeys/contract.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { setRows } from "#tests/support/rows.ts";
import { testWorld } from "#tests/support/world.ts";
import { PASSWORD, type Person, buildSignedIn } from "../users/person.ts";
import type { Authenticator } from "./authenticator.ts";
import { addPasskey, confirmOptionsIn } from "./passkey-owner.ts";

// Who sits at a browser that was left open is signed in and knows no password: nothing about how its user signs in changes.

const { deps, db, server, build } = await testWorld({ RATE_LIMITS: "off" });
const ME = "/api/v1/users/me";
const NEW = "nine green ladders";

/** An admin's sign-in by passkey that began longer ago than it counts as proof. */
async function buildLeftOpen(agedS = FRESH_S + 1) {
  const { user, person } = await buildSignedIn(deps, server, await build.admin());
  const { authenticator, id } = await addPasskey(person);
  await setRows(db, signIns, eq(signIns.userId, user.id), {
    createdAt: sql`clock_timestamp() - make_interval(secs => ${agedS})`,
  });
  return { user, person, authenticator, id };
}
type LeftOpen = Awaited<ReturnType<typeof buildLeftOpen>>;

type Change = (open: LeftOpen, proof: object) => Promise<Response>;
/** A sign-in by passkey is proof of these for a while. */
const changes: [string, Change][] = [
  [
    "adding a passkey",
    ({ person }, proof) => person.send("POST", `${ME}/passkeys/options`, { body: { passkey: proof } }),
  ],
  [
    "removing a passkey",
    ({ person, id }, proof) => person.send("DELETE", `${ME}/passkeys/${id}`, { body: { passkey: proof } }),
  ],
  [
    "making an access token",
    ({ person }, proof) =>
      person.send("POST", `${ME}/access_tokens`, { body: { access_token: { name: "Board", ...proof } } }),
  ],
];
/** These ask in any case. */
const strictChanges: [string, Change][] = [
  [
    "changing the password",
    ({ person }, proof) =>
      person.send("PUT", `${ME}/password`, {
        body: { user: { password: NEW, password_confirmation: NEW, ...proof } },
      }),
  ],
  [
    "changing the email",
    ({ person }, proof) =>
      person.send("PUT", `${ME}/email`, { body: { user: { email: "new@example.test", ...proof } } }),
  ],
  [
    "deactivating the account",
    ({ person }, proof) => person.send("PUT", `${ME}/deactivate`, { body: { user: proof } }),
  ],
];

const byPassword = { current_password: PASSWORD };
async function byPasskey(person: Person, authenticator: Authenticator) {
  const options = await confirmOptionsIn(await person.send("POST", `${ME}/passkeys/confirmation`));
  return { credential: authenticator.get(options) };
}

test.each([...changes, ...strictChanges])("%s is refused without a proof", async (_name, change) => {
  const open = await buildLeftOpen();
  const before = await digestTables(db);
  const refused = await change(open, {});
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { errors: { currentPassword: expect.anything() } },
  ]);
  expect(await digestTables(db)).toBe(before);
});

test.each(changes)(
  "%s is done with the password, a passkey or a fresh sign-in by passkey",
  async (_name, change) => {
    const first = await buildLeftOpen();
    expect((await change(first, byPassword)).status).toBeLessThan(300);
    const second = await buildLeftOpen();
    const proof = await byPasskey(second.person, second.authenticator);
    expect((await change(second, proof)).status).toBeLessThan(300);
    const fresh = await buildLeftOpen(FRESH_S - 60);
    expect((await change(fresh, {})).status).toBeLessThan(300);
  },
);

test("a passkey that was removed by nobody is still there, and an answer that was used proves nothing more", async () => {
  const open = await buildLeftOpen();
  const { person, authenticator, id, user } = open;
  const own = eq(passkeys.userId, user.id);
  const wrong = await person.send("DELETE", `${ME}/passkeys/${id}`, {
    body: { passkey: { current_password: "wrong" } },
  });
  expect([wrong.status, await db.$count(passkeys, own)]).toEqual([422, 1]);
  const proof = await byPasskey(person, authenticator);
  const options = await person.send("POST", `${ME}/passkeys/options`, { body: { passkey: proof } });
  expect(options.status).toBe(200);
  const again = await person.send("DELETE", `${ME}/passkeys/${id}`, { body: { passkey: proof } });
  expect([again.status, await db.$count(passkeys, own)]).toEqual([401, 1]);
});

test("a fresh sign-in by password is no proof: whoever has typed the password can type it again", async () => {
  const { person, user } = await buildSignedIn(deps, server, await build.player());
  const asked = await person.send("POST", `${ME}/passkeys/options`, { body: { passkey: {} } });
  expect([asked.status, await db.$count(passkeys, eq(passkeys.userId, user.id))]).toEqual([422, 0]);
});
