import { expect, test } from "bun:test";
import { and, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { gateEvent } from "#db/ledger/gate-event.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { calls } from "#db/schema/calls.ts";
import { signIns, users } from "#db/schema/users.ts";
import { Refusal } from "#src/base/refusal.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { deactivateUser } from "#src/people/users/manage-user.ts";
import { deleteAccount } from "#src/profiles/delete-account.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildAdmin, buildEvent, buildPlayer, only, readSpots } from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { ROUNDS_WITHIN_MS, roundsOf } from "#tests/support/rounds.ts";
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

/** Places a call, and waits for its event and its wallet as long as others hold them. @returns its code. */
const place = async ({ viewer }: SignedIn) => {
  const rows =
    await db.execute(sql`SELECT code FROM place_calls(ARRAY[${viewer.id}]::bigint[], ARRAY[${spotId}]::bigint[],
    ARRAY[100]::bigint[], ARRAY['first'])`);
  return v.parse(v.object({ code: v.string() }), rows[0]).code;
};
const remove = (player: SignedIn) => deleteAccount(deps, { ...player, currentPassword: PASSWORD });
const openCalls = ({ viewer }: SignedIn) =>
  db.$count(calls, and(eq(calls.userId, viewer.id), inArray(calls.state, ["placed", "closed"])));
const isDeleted = async ({ viewer }: SignedIn) =>
  only(await db.select().from(users).where(eq(users.id, viewer.id))).deletedAt !== null;

/** Waits until somebody waits for a lock of this kind: a gate is advisory, a row is held by its transaction. */
const waitForBlocked = (locktype: "advisory" | "transactionid") =>
  waitFor(`somebody to wait for a lock: ${locktype}`, async () => {
    const rows = await db.execute(sql`SELECT 1 FROM pg_locks WHERE locktype = ${locktype} AND NOT granted`);
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
    placing = place(player);
    await waitForBlocked("advisory");
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
    placing = place(player);
    await waitForBlocked("advisory");
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
    await tx.execute(sql`SELECT * FROM place_calls(ARRAY[${player.viewer.id}]::bigint[], ARRAY[${spotId}]::bigint[],
      ARRAY[100]::bigint[], ARRAY['in-flight'])`);
    placed.resolve(undefined);
    await committing.promise;
  });
  await placed.promise;
  const removing = refused(remove(player));
  await waitForBlocked("transactionid");
  committing.resolve(undefined);
  await inFlight;
  const before = await digestTables(db);
  expect(await removing).toMatchObject({ status: 409, code: "open_calls" });
  expect(await digestTables(db)).toBe(before);
  expect([await isDeleted(player), await openCalls(player)]).toEqual([false, 1]);
});

const ROUNDS = roundsOf({ daily: 4, many: 80 });
const CALLS = 4;

/** The last calls of a race begin so much later than those of the first one, which is about as long as a deletion takes. */
const SPREAD_MS = 60;

test(
  `in ${ROUNDS} races of a deletion with calls no deleted account has an open call, and the books agree`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const player = await buildSignedIn();
      const order = { userId: player.viewer.id, signInId: player.signInId, spotId, wagerCents: 100 };
      const removing = refused(remove(player));
      // They begin at different times of the deletion, each in a transaction of its own.
      const placing = Array.from({ length: CALLS }, async (_, index) => {
        await Bun.sleep((round / ROUNDS) * SPREAD_MS + index * 3);
        return placeCalls(deps.pool, [{ ...order, idempotencyKey: `race-${index}` }]);
      });
      const [removal, ...placed] = await Promise.all([removing, ...placing]);
      const codes = placed.flat().map(({ code }) => code);
      const placedCount = codes.filter((code) => code === "placed").length;
      // What finds the wallet held is to be tried again.
      expect(codes.filter((code) => !["placed", "signed_out", "busy"].includes(code))).toEqual([]);
      const isGone = await isDeleted(player);
      // Now and then the calls come first, and the deletion is refused.
      if (!isGone) expect(removal).toBeInstanceOf(Refusal);
      expect([isGone ? 0 : placedCount, await openCalls(player)]).toEqual([placedCount, placedCount]);
    }
    expect(await listDifferences(db)).toEqual([]);
  },
  ROUNDS_WITHIN_MS,
);
