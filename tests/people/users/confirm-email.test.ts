import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { signIns, users } from "#db/schema/users.ts";
import { sendConfirmation } from "#src/people/users/register-account.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { linkMailedTo, openMailbox, secretIn } from "./mailbox.ts";
import { Person } from "./person.ts";
import { recovering, REQUEST_ANSWER } from "./recovering.ts";

const deps = await testDeps({ RATE_LIMITS: "off" });
const stage = recovering(deps);

async function buildUnconfirmed(): Promise<BuiltUser> {
  const user = await stage.buildPerson();
  await deps.pool.db.update(users).set({ confirmedAt: null }).where(eq(users.id, user.id));
  await inTransaction(deps.pool.db, (tx) => sendConfirmation(tx, { id: user.id, email: String(user.email) }));
  return user;
}
const endGrace = (user: BuiltUser) =>
  deps.pool.db
    .update(users)
    .set({ confirmBy: sql`clock_timestamp()` })
    .where(eq(users.id, user.id));

test("an unconfirmed address may sign in for 24 hours, and not after that", async () => {
  const user = await buildUnconfirmed();
  const { confirmBy } = await stage.userOf(user);
  const hours = (Number(confirmBy) - Date.now()) / 3_600_000;
  expect(hours).toBeCloseTo(24, 1);
  const person = new Person(stage.server);
  expect((await person.signIn(user.email)).status).toBe(200);

  await endGrace(user);
  const refused = {
    error: "You have to confirm your email address before continuing.",
    code: "unconfirmed",
  };
  // An existing sign-in becomes invalid, and the answer says why.
  const out = await person.get("/api/v1/users/me");
  expect(out.status).toBe(401);
  expect(await out.json()).toMatchObject(refused);
  const before = await deps.pool.db.$count(signIns, eq(signIns.userId, user.id));
  const again = await new Person(stage.server).signIn(user.email);
  expect(again.status).toBe(403);
  expect(await again.json()).toMatchObject(refused);
  expect(await deps.pool.db.$count(signIns, eq(signIns.userId, user.id))).toBe(before);
  const wrong = await new Person(stage.server).signIn(user.email, "not it");
  expect(await wrong.json()).toMatchObject({ code: "invalid_credentials" });
});

test("the link confirms the address, and opened again it gets the same answer", async () => {
  const user = await buildUnconfirmed();
  const link = await linkMailedTo(deps, user.email);
  expect(link).toStartWith("/users/confirmation?confirmation_token=");
  await endGrace(user);
  const person = await stage.client();
  await person.send("HEAD", link);
  expect(await (await person.get(link)).json()).toEqual({ message: null });
  expect((await stage.userOf(user)).confirmedAt).toBeNull();
  for (let time = 0; time < 2; time += 1) {
    const response = await person.press(link);
    expect([response.status, await response.json()]).toEqual([
      200,
      { message: "Your email address is confirmed." },
    ]);
  }
  expect((await new Person(stage.server).signIn(user.email)).status).toBe(200);
});

test("another request sends a new link without extending the time; a confirmed address gets none", async () => {
  const user = await buildUnconfirmed();
  const { confirmBy } = await stage.userOf(user);
  const first = await linkMailedTo(deps, user.email);
  await stage.later();
  expect(await (await stage.ask("/users/confirmation", user.email)).json()).toEqual(REQUEST_ANSWER);
  const second = await linkMailedTo(deps, user.email);
  expect((await stage.userOf(user)).confirmBy).toEqual(confirmBy);
  const person = await stage.client();
  expect((await person.press(first)).status).toBe(422);
  expect((await stage.userOf(user)).confirmedAt).toBeNull();
  expect((await person.press(second)).status).toBe(200);

  await stage.later();
  const before = (await openMailbox(deps, user.email)).length;
  expect(await (await stage.ask("/users/confirmation", user.email)).json()).toEqual(REQUEST_ANSWER);
  expect(await openMailbox(deps, user.email)).toHaveLength(before);
});

test("the link in a reset mail also confirms the address", async () => {
  const user = await buildUnconfirmed();
  await endGrace(user);
  await stage.reset(secretIn(await stage.resetLink(user)));
  expect((await stage.userOf(user)).confirmedAt).not.toBeNull();
});
