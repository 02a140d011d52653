import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { calls } from "#db/schema/calls.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import { recomputeSettlement } from "#src/show/events/show-settlement.ts";
import { testWorld } from "#tests/support/world.ts";
import {
  buildLargeEvent,
  expectBooksToAgree,
  type LargeEvent,
  notificationsOf,
  payOnePart,
  readWalletsOf,
} from "./large-settlement.ts";

// The four calls of these events are a small settlement, as usual. Nobody pays unless a test does.
const { deps, db, by, build, payInParts } = await testWorld();
const admin = await build.admin();

const resolve = (eventId: number, result: "true" | "false" | "void", reason?: string) =>
  by(admin).resolve(eventId, result, { reason: reason ?? null });
const reset = (eventId: number) => by(admin).reset(eventId, "Asked wrongly");
const settlementOf = async (eventId: number) => {
  const viewing = { viewerId: null, publishedOnly: false, now: new Date() };
  return (await findEventViews(db, { eventIds: [eventId], ...viewing }))[0]?.settlement;
};

async function buildDecided(result: "true" | "void" = "true"): Promise<LargeEvent> {
  const large = await buildLargeEvent(deps);
  await resolve(large.eventId, result);
  expect(await settlementOf(large.eventId)).toBe("paying");
  return large;
}

const free = [0, 0, 0, 0];
const before = { posted: [10_000, 10_000, 10_000, 10_000], held: free };

test("a reset before the payment refunds everybody at once and notifies them", async () => {
  for (const result of ["true", "void"] as const) {
    const large = await buildDecided(result);
    expect(await reset(large.eventId)).toMatchObject({ state: "draft", round: 2, result: null });
    expect(await settlementOf(large.eventId)).toBeNull();
    expect(await readWalletsOf(deps, large)).toEqual(before);
    const rows = await db.select().from(calls).where(eq(calls.eventId, large.eventId));
    expect(rows.map(({ state, outcome }) => [state, outcome])).toEqual(
      large.players.map(() => ["resolved", "refunded"]),
    );
    expect(await notificationsOf(deps, large.players[3])).toEqual([
      { kind: "refund", text: expect.stringMatching(/^\$3\.00 back: the host reset it\. .* Asked wrongly$/) },
    ]);
    expect(await listUnpaidSettlements(db)).toEqual([]);
    await expectBooksToAgree(deps);
  }
});

test("a reset between two parts refunds those who were not paid and corrects the others", async () => {
  const large = await buildDecided();
  await payInParts({ partMax: 2 });
  await payOnePart(deps, large);
  await payInParts();
  await reset(large.eventId);
  expect(await readWalletsOf(deps, large)).toEqual(before);
  expect(await notificationsOf(deps, large.players[0])).toEqual([
    { kind: "refund", text: expect.stringMatching(/^\$1\.00 back: the host reset it\. .* Asked wrongly$/) },
  ]);
  expect(await notificationsOf(deps, large.players[3])).toEqual([
    { kind: "correction", text: expect.stringContaining("Result withdrawn: $3.00 more, net $0.00. ") },
  ]);
  await expectBooksToAgree(deps);
});

test("recomputing before the payment pays first, and agrees", async () => {
  const large = await buildDecided();
  const viewer = await findViewer(db, admin.id);
  const { recomputation } = await recomputeSettlement(deps, { eventId: large.eventId, viewer }, new Date());
  expect(recomputation).toMatchObject({ callsCount: 4, paidCents: 600, differencesCount: 0 });
  expect(await readWalletsOf(deps, large)).toEqual({ posted: [10_100, 10_100, 10_100, 9_700], held: free });
});
