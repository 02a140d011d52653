import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { refundActiveCalls } from "#db/ledger/cancel-call.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { type CallState, callStates } from "#db/lists/calls.ts";
import { calls } from "#db/schema/calls.ts";
import { writeAudit } from "#src/base/audit.ts";
import { Refusal } from "#src/base/refusal.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { buildCall, buildEvent, buildPlayer, type BuiltUser, only, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();

type Built = { player: BuiltUser; eventId: number; callId: number };

/** A call in that state, on an event in a matching state. */
async function buildCallIn(state: CallState): Promise<Built> {
  const player = await buildPlayer(deps);
  const { id: eventId } = await buildEvent(deps, "open");
  const callId = await buildCall(deps, { userId: player.id, eventId });
  const order = { eventId, actor: null };
  if (state === "soft_destroyed") await cancelCall(deps, { viewer: player, callId });
  if (state === "closed" || state === "resolved") await closeEvent(deps, order);
  if (state === "resolved") await resolveAndPay(deps, { ...order, result: "true" });
  return { player, eventId, callId };
}

const readCall = async ({ callId }: Built) =>
  only(await deps.pool.db.select().from(calls).where(eq(calls.id, callId)));

/** The allowed transitions, written independently of the product's table. */
const transitions: Record<"close" | "hide" | "resolve", { from: CallState[]; to: CallState }> = {
  close: { from: ["placed"], to: "closed" },
  hide: { from: ["placed", "closed"], to: "soft_destroyed" },
  resolve: { from: ["closed"], to: "resolved" },
};

/** Attempts each transition. */
const verbs: Record<keyof typeof transitions, (call: Built) => Promise<unknown>> = {
  close: ({ eventId }) => closeEvent(deps, { eventId, actor: null }),
  hide: ({ eventId }) =>
    inTransaction(deps.pool.db, async (tx) => {
      await refundActiveCalls(tx, { eventId, cause: "skip" });
      const subject = { type: "event" as const, id: eventId };
      await writeAudit(tx, { actor: null, action: "skip", subject, sessionId: null, before: {}, after: {} });
    }),
  resolve: async ({ eventId }) => {
    const settle = { eventId, result: "true", actorId: null } as const;
    // The verb would close an open event first, so this calls only the ledger.
    if ((await readEvent(deps, eventId)).state !== "open")
      return resolveAndPay(deps, { ...settle, actor: null });
    return inTransaction(deps.pool.db, (tx) => settleEvent(tx, settle)).catch((error: unknown) => {
      throw error instanceof LedgerRefusal ? new Refusal(422, error.code, error.message) : error;
    });
  },
};

const pairs = (["close", "hide", "resolve"] as const).flatMap((name) =>
  callStates.map((state) => {
    const { from, to } = transitions[name];
    return { name, state, to: from.includes(state) ? to : null };
  }),
);

describe("every transition of a call from every state", () => {
  test.each(pairs.filter(({ to }) => to !== null))(
    "$name leads from $state to $to",
    async ({ name, state, to }) => {
      const call = await buildCallIn(state);
      await verbs[name](call);
      expect((await readCall(call)).state).toBe(to ?? "placed");
    },
  );

  test.each(pairs.filter(({ to }) => to === null))(
    "$name does not change a $state call",
    async ({ name, state }) => {
      const call = await buildCallIn(state);
      const before = await readCall(call);
      await verbs[name](call).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
      expect(await readCall(call)).toEqual(before);
    },
  );

  test.each(["closed", "resolved"] as const)(
    "its owner cannot hide a %s call, and nothing changes",
    async (state) => {
      const call = await buildCallIn(state);
      const before = await readCall(call);
      const refusal = await refusalOf(cancelCall(deps, { viewer: call.player, callId: call.callId }));
      expect(refusal.details.errors).toEqual({ state: ['cannot transition via "Destroy"'] });
      expect(await readCall(call)).toEqual(before);
    },
  );
});
