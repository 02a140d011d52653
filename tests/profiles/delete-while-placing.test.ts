import { expect, test } from "bun:test";
import { and, eq, inArray } from "drizzle-orm";
import { gateEvent } from "#db/ledger/locks.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { calls } from "#db/schema/calls.ts";
import { users } from "#db/schema/users.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { deactivateUser } from "#src/people/users/manage-user.ts";
import { deleteAccount } from "#src/profiles/delete-account.ts";
import { placeCall, placeIn } from "#tests/ledger/fixtures.ts";
import { only } from "#tests/support/build.ts";
import { createSignIn } from "#tests/support/client.ts";
import { holdTransaction } from "#tests/support/in-long-transaction.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { givePassword, PASSWORD } from "../people/users/person.ts";

// A player deletes the account while calls of the same player are placed. Whichever comes first: a deleted account has no open call.

const { deps, db, build, read } = await testWorld({}, { poolSize: 10 });
const event = await build.event("open", { durationSeconds: 1_800 });
const { id: spotId } = (await read.spots(event.id)).true;

/** A player with a password and a sign-in. */
async function buildSignedIn() {
  const { id } = await build.player();
  await givePassword(deps, id);
  const { signInId } = await createSignIn(deps, { id });
  return { viewer: await findViewer(db, id), signInId };
}
type SignedIn = Awaited<ReturnType<typeof buildSignedIn>>;

const callOf = ({ viewer }: SignedIn) => ({
  userId: viewer.id,
  spotId,
  wagerCents: 100,
  idempotencyKey: "first",
});

const remove = (player: SignedIn) => deleteAccount(deps, { ...player, currentPassword: PASSWORD });
const openCalls = ({ viewer }: SignedIn) =>
  db.$count(calls, and(eq(calls.userId, viewer.id), inArray(calls.state, ["placed", "closed"])));
const isDeleted = async ({ viewer }: SignedIn) =>
  only(await db.select().from(users).where(eq(users.id, viewer.id))).deletedAt !== null;

const ends: [how: string, end: (player: SignedIn) => Promise<unknown>][] = [
  ["its player deletes the account", remove],
  [
    "an admin deactivates its player",
    async ({ viewer: { id: userId } }) =>
      deactivateUser(deps, { userId, actor: await build.admin(), reason: null, ifVersion: null }),
  ],
];
test.each(ends)("a call that waits at the gate while %s is not placed", async (_how, end) => {
  const player = await buildSignedIn();
  const gate = await holdTransaction(db, (tx) => gateEvent(tx, event.id));
  expect(await placeCalls(deps.pool, [callOf(player)])).toMatchObject([{ code: "busy" }]);
  const placing = placeCall(deps.pool, callOf(player));
  await end(player);
  await gate.commit();
  expect((await placing).code).toBe("signed_out");
  expect(await openCalls(player)).toBe(0);
});

test("a deletion waits for a call that is not committed yet, and is refused, and nothing else changes", async () => {
  const player = await buildSignedIn();
  const placing = await holdTransaction(db, (tx) => placeIn(tx, player.viewer.id, spotId));
  const removing = refusalOf(remove(player));
  await untilBlocked(db);
  await placing.commit();
  const before = await read.digest();
  expect(await removing).toMatchObject({ status: 409, code: "open_calls" });
  expect(await read.digest()).toBe(before);
  expect([await isDeleted(player), await openCalls(player)]).toEqual([false, 1]);
});
