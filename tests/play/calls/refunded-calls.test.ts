import { beforeEach, describe, expect, test } from "bun:test";
import * as v from "valibot";
import type { RefundCause } from "#db/lists/calls.ts";
import { transactionsAnswer } from "#src/money/wallet/schemas.ts";
import { cancelCall, destroyCall } from "#src/play/calls/cancel-call.ts";
import { callsAnswer, receiptAnswer } from "#src/play/calls/schemas.ts";
import { profileAnswer } from "#src/profiles/schemas.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, by, build, client } = await testWorld();
const admin = await build.admin();

let player: BuiltUser;
let browser: TestClient;
let sessionId: number;
let eventId: number;
let callId: number;

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
  sessionId = (await build.runningSession()).id;
  eventId = (await build.event("open", { sessionId, title: "Will it rain?" })).id;
  callId = await build.call({ userId: player.id, eventId, wagerCents: 500 });
});

const refund: Record<RefundCause, () => Promise<unknown>> = {
  skip: () => by(admin).skip(eventId, "Rained off"),
  reset: () => by(admin).reset(eventId, "Wrong question"),
  admin: () => destroyCall(deps, { callId, actor: admin, reason: null }),
};
const memos: Record<RefundCause, string> = {
  skip: "Refunded, the host skipped it: Will it rain?",
  reset: "Refunded, the host reset it: Will it rain?",
  admin: "Refunded, the host took your call back: Will it rain?",
};

const listCalls = async (query = "") => (await browser.read(`/api/v1/calls?${query}`, callsAnswer)).calls;
const idsOf = async (query: string) => (await listCalls(query)).map(({ id }) => id);
const readTransactions = async () =>
  (await browser.read("/api/v1/transactions", transactionsAnswer)).transactions;

describe.each(["skip", "reset", "admin"] as const)("a call refunded by %s", (cause) => {
  beforeEach(() => refund[cause]());

  test("stays in the player's records with its cause, as a refund of the whole wager", async () => {
    const refunded = {
      id: callId,
      state: "soft_destroyed",
      active: false,
      cancellable: false,
      outcome: "refunded",
      refundedBy: cause,
      payoutCents: 500,
      netCents: 0,
      resolvedAt: null,
    };
    expect(await listCalls()).toMatchObject([refunded]);
    const { body } = await browser.get("/api/v1/users/me");
    expect(v.parse(profileAnswer, body).user.calls).toMatchObject([refunded]);
    const receipt = await browser.get(`/api/v1/calls/${callId}`);
    expect(v.parse(receiptAnswer, receipt.body)).toMatchObject({
      call: refunded,
      receipt: { settlements: [], transactions: [{ kind: "hold" }, { kind: "refund", amountCents: 500 }] },
    });
  });

  test("is a refund in the wallet, in words that say who refunded it", async () => {
    const [last] = await readTransactions();
    expect(last).toMatchObject({ kind: "refund", amountCents: 500, callId, memo: memos[cause] });
  });
});

test("a call that the player cancelled stays in the records without a refund, and the wallet says who took it back", async () => {
  await cancelCall(deps, { viewer: player, callId });
  const cancelled = { id: callId, state: "soft_destroyed", outcome: null, refundedBy: null, payout: null };
  expect(await listCalls()).toMatchObject([cancelled]);
  expect(await idsOf("outcome=refunded")).toEqual([]);
  expect((await browser.read("/api/v1/users/me", profileAnswer)).user.calls).toMatchObject([cancelled]);
  const [last] = await readTransactions();
  expect(last).toMatchObject({ kind: "release", memo: "Call taken back by you: Will it rain?" });
});

test("a call that a settlement refunded has no other cause, and is listed beside the others", async () => {
  await by(admin).settle(eventId, "void");
  const other = await build.event("open", { sessionId });
  const skipped = await build.call({ userId: player.id, eventId: other.id });
  await by(admin).skip(other.id);
  expect(await idsOf("outcome=refunded")).toEqual([skipped, callId]);
  expect(await listCalls()).toMatchObject([{ refundedBy: "skip" }, { refundedBy: null, state: "resolved" }]);
});
