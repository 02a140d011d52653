import { expect, test } from "bun:test";
import { listSettledCalls, type SettledCall, listStakes } from "#db/ledger/list-settled-calls.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { comparePayouts } from "#src/play/settlements/compare-payouts.ts";
import { recomputationAnswer } from "#src/play/settlements/schemas.ts";
import { settlementAnswer } from "#src/show/events/schemas.ts";
import { recomputeSettlement } from "#src/show/events/show-settlement.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, client } = await testWorld();
const [player, rival] = [await build.player(), await build.player()];
const browser = await client(player);

/** The player has $1.00 twice on True, the rival $1.00 on True and $1.00 on False. */
async function buildPool() {
  const event = await build.event("open");
  for (const [userId, side] of [
    [player.id, "true"],
    [player.id, "true"],
    [rival.id, "true"],
    [rival.id, "false"],
  ] as const) {
    await build.call({ userId, eventId: event.id, side });
  }
  return event;
}
const resolve = (eventId: number, result: "true" | "false" | "void", reason?: string) =>
  resolveAndPay(deps, { eventId, actor: null, result, ...(reason === undefined ? {} : { reason }) });

async function readSettlement(eventId: number, visitor = browser) {
  return visitor.read(`/api/v1/events/${eventId}/settlement`, settlementAnswer);
}
async function recompute(eventId: number) {
  return (await browser.read(`/api/v1/events/${eventId}/recomputation`, recomputationAnswer)).recomputation;
}

test("everybody can read how an event was settled: the numbers, and payouts without names", async () => {
  const event = await buildPool();
  expect(await readSettlement(event.id)).toMatchObject({ settlements: [], payouts: [], callersCount: 0 });
  await resolve(event.id, "true", "Seen on the replay");

  const answer = await readSettlement(event.id);

  expect(answer).toMatchObject({
    callersCount: 2,
    callsCount: 4,
    settlements: [
      { version: 1, result: "true", reason: "Seen on the replay", poolCents: 400, winningPoolCents: 300 },
    ],
    payoutGroupsCount: 3,
    payouts: [
      { side: "true", outcome: "won", wagerCents: 100, payoutCents: 134, callsCount: 1 },
      { side: "true", outcome: "won", wagerCents: 100, payoutCents: 133, callsCount: 2 },
      { side: "false", outcome: "lost", wagerCents: 100, payoutCents: 0, callsCount: 1 },
    ],
  });
  expect(answer.event.myCalls.map(({ userId }) => userId)).toEqual([player.id, player.id]);
  expect(JSON.stringify(answer)).not.toContain(rival.username);
});

test("a correction is listed with its reason, and the payouts are those in force", async () => {
  const event = await buildPool();
  await resolve(event.id, "true");
  await readSettlement(event.id);
  await resolve(event.id, "void", "The referee called it off");
  expect(await readSettlement(event.id)).toMatchObject({
    settlements: [
      { version: 1, result: "true" },
      { version: 2, result: "void", reason: "The referee called it off", refundReason: "void" },
    ],
    payouts: [
      { side: "false", outcome: "refunded", payoutCents: 100, callsCount: 1 },
      { side: "true", outcome: "refunded", payoutCents: 100, callsCount: 3 },
    ],
  });
});

test("recomputing confirms every payout, after corrections too", async () => {
  const event = await buildPool();
  await resolve(event.id, "true");
  const agreed = { callsCount: 4, paidCents: 400, differencesCount: 0, differences: [] };
  expect(await recompute(event.id)).toMatchObject(agreed);
  await resolve(event.id, "false", "Wrong replay");
  await resolve(event.id, "true", "It was right after all");
  expect(await recompute(event.id)).toMatchObject(agreed);
});

/** Pages of one call each. */
async function* pagesOf(calls: readonly SettledCall[]) {
  for (const call of calls) yield [call];
}

test("a payout that differs from the formula is listed", async () => {
  const event = await buildPool();
  await resolve(event.id, "true");
  // The database refuses such a payout, so the rows are changed after reading.
  const calls = await listSettledCalls(db, { eventId: event.id }, { afterId: 0, limit: 10 });
  const [first, second, ...others] = calls;
  if (first === undefined || second === undefined) throw new Error("there are four calls");
  const wrong = [{ ...first, paidCents: 133 }, { ...second, paidCents: 134 }, ...others];
  const stakes = await listStakes(db, { eventId: event.id });
  expect(await comparePayouts(stakes, pagesOf(wrong))).toEqual({
    callsCount: 4,
    paidCents: 400,
    differencesCount: 2,
    differences: [
      { callId: first.callId, userId: player.id, wagerCents: 100, paidCents: 133, expectedCents: 134 },
      { callId: second.callId, userId: player.id, wagerCents: 100, paidCents: 134, expectedCents: 133 },
    ],
  });
  expect(await comparePayouts(stakes, pagesOf(calls))).toMatchObject({ differencesCount: 0 });
  const rest = await listSettledCalls(db, { eventId: event.id }, { afterId: second.callId, limit: 10 });
  expect(rest).toEqual(others);
});

test("an event without a result has nothing to recompute, and nothing changes", async () => {
  const event = await buildPool();
  const before = await readSettlement(event.id);
  expect(await browser.get(`/api/v1/events/${event.id}/recomputation`)).toMatchObject({
    status: 422,
    body: { code: "unsettled", detail: "There is nothing to recompute before the result." },
  });
  expect(await readSettlement(event.id)).toEqual(before);
});

test("an event with too many calls is not recomputed, and nothing changes", async () => {
  const event = await buildPool();
  await resolve(event.id, "true");
  const before = await readSettlement(event.id);
  const viewer = await findViewer(db, player.id);
  const asked = recomputeSettlement(deps, { eventId: event.id, viewer, callsMax: 3 }, new Date());
  expect((await refusalOf(asked)).code).toBe("too_many_calls");
  expect(await readSettlement(event.id)).toEqual(before);
});

test("an event that players may not see is not found", async () => {
  const hidden = await buildPool();
  await resolve(hidden.id, "true");
  await timer.hide(hidden.id);
  const draft = await build.event("draft");
  const admin = await client(await build.admin());
  for (const eventId of [hidden.id, draft.id]) {
    for (const what of ["settlement", "recomputation"]) {
      const path = `/api/v1/events/${eventId}/${what}`;
      expect(await browser.get(path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  }
  expect(await admin.get(`/api/v1/events/${hidden.id}/settlement`)).toMatchObject({ status: 200 });
});
