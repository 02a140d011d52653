import { expect, test } from "bun:test";
import { eq, inArray } from "drizzle-orm";
import { listEntries } from "#db/ledger/list-entries.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { showReceipt } from "#src/play/calls/show-receipt.ts";
import { hideEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { buildAdmin, type BuiltUser, readEvent } from "#tests/support/build.ts";
import { payInParts } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { payNow } from "#tests/support/pay.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import {
  buildLargeEvent,
  expectBooksToAgree,
  notificationsOf,
  payOnePart,
  readWalletsOf,
} from "./large-settlement.ts";

const deps = await testDeps({}, { poolSize: 4 });
await payInParts(deps.pool, { atOnceMax: 3, partMax: 2 });
const admin = await buildAdmin(deps);

const resolve = (eventId: number, result: "true" | "false" | "void", reason?: string) =>
  resolveEvent(deps, { eventId, actor: admin, result, reason: reason ?? null });
const viewAsAdmin = () => findViewer(deps.pool.db, admin.id);

test("a correction of an unpaid settlement pays each player the difference, once", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId, "true");
  await payOnePart(deps, large);
  expect(await resolve(eventId, "false")).toMatchObject({ result: "false" });
  await expectBooksToAgree(deps);
  await payNow(deps);
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
    const { transactions } = await listEntries(deps.pool.db, { userId, limit: 10, offset: 0 });
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
  const [call] = await deps.pool.db.select().from(calls).where(eq(calls.userId, first.id));
  const viewer = await viewAsAdmin();
  const { receipt } = await showReceipt(deps.pool.db, { viewer, callId: call?.id ?? 0 }, new Date());
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
  await payNow(deps);
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
  await hideEvent(deps, { eventId, actor: admin });
  await expectBooksToAgree(deps);
  await payNow(deps);
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_100, 10_100, 10_100, 9_700] });
});

test("a reset of a large settlement is refused until a void has refunded everybody", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  const reset = () => resetEvent(deps, { eventId, actor: admin, reason: "Asked wrongly" });
  const refused = async (detail: string) => {
    const before = await readEvent(deps, eventId);
    expect(await refusalOf(reset())).toMatchObject({
      status: 409,
      details: { detail: expect.stringContaining(detail) },
    });
    expect(await readEvent(deps, eventId)).toEqual(before);
  };
  await refused("Resolve it as void");
  await closeEvent(deps, { eventId, actor: admin });
  await resolve(eventId, "true");
  await refused("0 of 4 calls");
  await payNow(deps);
  await refused("Resolve it as void");
  await resolve(eventId, "void", "Asked wrongly");
  await refused("0 of 4 calls");
  await payNow(deps);
  expect(await reset()).toMatchObject({ state: "draft", round: 2, result: null });
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_000, 10_000, 10_000, 10_000] });
});

test("skipping an event with a large settlement hides it at once and refunds in parts", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  const skipped = await skipEvent(deps, { eventId, actor: admin, reason: "No time left" });
  expect(skipped).toMatchObject({ state: "hidden", result: "void" });
  expect(await readWalletsOf(deps, large)).toMatchObject({ held: [100, 100, 100, 300] });
  await expectBooksToAgree(deps);
  await payNow(deps);
  expect(await readWalletsOf(deps, large)).toMatchObject({ held: [0, 0, 0, 0] });
  const rows = await deps.pool.db.select().from(calls).where(eq(calls.eventId, eventId));
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(["refunded"]));
  const ids = large.players.map(({ id }) => id);
  const news = await deps.pool.db.select().from(notifications).where(inArray(notifications.userId, ids));
  expect(news.map(({ title }) => title)).toContain("$3.00 back: the question was called off");
});
