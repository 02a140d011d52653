import { expect, test } from "bun:test";
import { eq, inArray } from "drizzle-orm";
import { listEntries } from "#db/ledger/list-entries.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { showReceipt } from "#src/play/calls/show-receipt.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import {
  buildLargeEvent,
  expectBooksToAgree,
  notificationsOf,
  payOnePart,
  readWalletsOf,
} from "./large-settlement.ts";

const { deps, db, by, timer, build, refused, payInParts } = await testWorld({}, { poolSize: 4 });
await payInParts({ atOnceMax: 3, partMax: 2 });
const admin = await build.admin();

const resolve = (eventId: number, result: "true" | "false" | "void", reason?: string) =>
  by(admin).resolve(eventId, result, { reason: reason ?? null });
const viewAsAdmin = () => findViewer(db, admin.id);

test("a correction of an unpaid settlement pays each player the difference, once", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId, "true");
  await payOnePart(deps, large);
  expect(await resolve(eventId, "false")).toMatchObject({ result: "false" });
  await expectBooksToAgree(deps);
  await timer.pay();
  await expectBooksToAgree(deps);
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [9_900, 9_900, 9_900, 10_300] });
  expect(await readWalletsOf(deps, large)).toMatchObject({ held: [0, 0, 0, 0] });
  const [first, , third, fourth] = large.players;
  // Only the players who were paid already are corrected.
  expect(await notificationsOf(deps, first)).toEqual([]);
  expect(await notificationsOf(deps, third)).toMatchObject([
    { kind: "correction", text: expect.stringContaining("$2.00 taken back, net -$1.00") },
  ]);
  const movesOf = async ({ id: userId }: BuiltUser) => {
    const { transactions } = await listEntries(db, { userId, limit: 10, offset: 0 });
    return transactions.map(({ kind, amountCents, availableAfterCents }) => [
      kind,
      amountCents,
      availableAfterCents,
    ]);
  };
  expect(await movesOf(first)).toEqual([
    ["settle", 0, 9_900],
    ["hold", -100, 9_900],
    ["grant", 10_000, 10_000],
  ]);
  expect(await movesOf(fourth)).toEqual([
    ["correction", 600, 10_300],
    ["settle", 0, 9_700],
    ["hold", -300, 9_700],
    ["grant", 10_000, 10_000],
  ]);
  const [call] = await db.select().from(calls).where(eq(calls.userId, first.id));
  const viewer = await viewAsAdmin();
  const { receipt } = await showReceipt(db, { viewer, callId: call?.id ?? 0 }, new Date());
  expect(receipt.settlements).toMatchObject([{ result: "false", payoutCents: 0 }]);
});

test("a void refunds a large settlement in parts, and notifies each player with their part", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId, "void", "The tape was torn");
  const [first, , , last] = large.players;
  await payOnePart(deps, large);
  expect(await notificationsOf(deps, first)).toEqual([]);
  expect(await notificationsOf(deps, last)).toEqual([
    {
      kind: "refund",
      text: expect.stringMatching(/^\$3\.00 back: the question was called off\. .* The tape was torn$/),
    },
  ]);
  await timer.pay();
  expect(await notificationsOf(deps, first)).toEqual([
    {
      kind: "refund",
      text: expect.stringMatching(/^\$1\.00 back: the question was called off\. .* The tape was torn$/),
    },
  ]);
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_000, 10_000, 10_000, 10_000] });
  expect(await readWalletsOf(deps, large)).toMatchObject({ held: [0, 0, 0, 0] });
});

test("an event can be hidden while it is being paid", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId, "true");
  await by(admin).hide(eventId);
  await expectBooksToAgree(deps);
  await timer.pay();
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_100, 10_100, 10_100, 9_700] });
});

test("a reset of a large settlement is refused until a void has refunded everybody", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  const reset = () => by(admin).reset(eventId, "Asked wrongly");
  const refusedWith = async (detail: string) => {
    expect(await refused(reset)).toMatchObject({
      status: 409,
      details: { detail: expect.stringContaining(detail) },
    });
  };
  await refusedWith("Resolve it as void");
  await by(admin).close(eventId);
  await resolve(eventId, "true");
  await refusedWith("0 of 4 calls");
  await timer.pay();
  await refusedWith("Resolve it as void");
  await resolve(eventId, "void", "Asked wrongly");
  await refusedWith("0 of 4 calls");
  await timer.pay();
  expect(await reset()).toMatchObject({ state: "draft", round: 2, result: null });
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_000, 10_000, 10_000, 10_000] });
});

test("skipping an event with a large settlement hides it at once and refunds in parts", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  const skipped = await by(admin).skip(eventId, "No time left");
  expect(skipped).toMatchObject({ state: "hidden", result: "void" });
  expect(await readWalletsOf(deps, large)).toMatchObject({ held: [100, 100, 100, 300] });
  await expectBooksToAgree(deps);
  await timer.pay();
  expect(await readWalletsOf(deps, large)).toMatchObject({ held: [0, 0, 0, 0] });
  const rows = await db.select().from(calls).where(eq(calls.eventId, eventId));
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(["refunded"]));
  const ids = large.players.map(({ id }) => id);
  const news = await db.select().from(notifications).where(inArray(notifications.userId, ids));
  expect(news.map(({ title }) => title)).toContain("$3.00 back: the question was called off");
});
