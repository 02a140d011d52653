import { expect, test } from "bun:test";
import { and, eq, inArray, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { gateEvent } from "#db/ledger/gate-event.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { calls } from "#db/schema/calls.ts";
import { signIns, users } from "#db/schema/users.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { deactivateUser } from "#src/people/users/manage-user.ts";
import { deleteAccount } from "#src/profiles/delete-account.ts";
import { placeCall, placeIn } from "#tests/ledger/fixtures.ts";
import { buildAdmin, buildEvent, buildPlayer, only, readSpots } from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { givePassword, PASSWORD } from "../people/users/person.ts";

// A player deletes the account while calls of the same player are placed. Whichever comes first: a deleted account has no open call.

const deps = await testDeps({}, { poolSize: 10 });
const { db } = deps.pool;
const event = await buildEvent(deps, "open", { durationSeconds: 1_800 });
const { id: spotId } = (await readSpots(deps, event.id)).true;

/** A player with a password and a sign-in. */
async function buildSignedIn() {
  const { id } = await buildPlayer(deps);
  await givePassword(deps, id);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const signIn = only(
    await db.insert(signIns).values({ userId: id, csrfSecret: "secret", expiresAt }).returning(),
  );
  return { viewer: await findViewer(db, id), signInId: signIn.id };
}
type SignedIn = Awaited<ReturnType<typeof buildSignedIn>>;

const callOf = ({ viewer }: SignedIn) => ({ userId: viewer.id, spotId, wagerCents: 100, idempotencyKey: "first" });
/** Places a call at the gate, as often as it is busy. @returns its code. */
async function keepPlacing(player: SignedIn) {
  expect(await placeCalls(deps.pool, [callOf(player)])).toMatchObject([{ code: "busy" }]);
  return { code: placeCall(deps.pool, callOf(player)).then(({ code }) => code) };
}
const remove = (player: SignedIn) => deleteAccount(deps, { ...player, currentPassword: PASSWORD });
const openCalls = ({ viewer }: SignedIn) =>
  db.$count(calls, and(eq(calls.userId, viewer.id), inArray(calls.state, ["placed", "closed"])));
const isDeleted = async ({ viewer }: SignedIn) =>
  only(await db.select().from(users).where(eq(users.id, viewer.id))).deletedAt !== null;

/** Waits until somebody waits for a row that another transaction holds. */
const waitForBlocked = () =>
  waitFor("somebody to wait for a row", async () => {
    const rows = await db.execute(sql`SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`);
    return rows.length > 0;
  });

/** Keeps calls at the gate of the event while `work` runs. */
async function whileGated(work: () => Promise<void>): Promise<void> {
  const gated = Promise.withResolvers<undefined>();
  const released = Promise.withResolvers<undefined>();
  const holder = inTransaction(db, async (tx) => {
    await gateEvent(tx, event.id);
    gated.resolve(undefined);
    await released.promise;
  });
  await gated.promise;
  await work().finally(() => released.resolve(undefined));
  await holder;
}

/** The refusal of what is under way. */
function refused(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "it was accepted",
    (error: unknown) => error,
  );
}

test("a call that waits at the gate while its player deletes the account is not placed", async () => {
  const player = await buildSignedIn();
  let placing: Promise<unknown> = Promise.resolve();
  await whileGated(async () => {
    placing = (await keepPlacing(player)).code;
    await remove(player);
  });
  expect(await placing).toBe("signed_out");
  expect([await isDeleted(player), await openCalls(player)]).toEqual([true, 0]);
});

test("a call that waits while an admin deactivates its player is not placed", async () => {
  const player = await buildSignedIn();
  const admin = await buildAdmin(deps);
  let placing: Promise<unknown> = Promise.resolve();
  await whileGated(async () => {
    placing = (await keepPlacing(player)).code;
    await deactivateUser(deps, { userId: player.viewer.id, actor: admin, reason: null, ifVersion: null });
  });
  expect(await placing).toBe("signed_out");
  expect(await openCalls(player)).toBe(0);
});

test("a deletion waits for a call that is not committed yet, and is refused, and nothing else changes", async () => {
  const player = await buildSignedIn();
  const placed = Promise.withResolvers<undefined>();
  const committing = Promise.withResolvers<undefined>();
  const inFlight = inTransaction(db, async (tx) => {
    await placeIn(tx, player.viewer.id, spotId);
    placed.resolve(undefined);
    await committing.promise;
  });
  await placed.promise;
  const removing = refused(remove(player));
  await waitForBlocked();
  committing.resolve(undefined);
  await inFlight;
  const before = await digestTables(db);
  expect(await removing).toMatchObject({ status: 409, code: "open_calls" });
  expect(await digestTables(db)).toBe(before);
  expect([await isDeleted(player), await openCalls(player)]).toEqual([false, 1]);
});
