import { expect, test } from "bun:test";
import { inTransaction } from "#db/client.ts";
import { paySettlementPart, payWholeSettlement } from "#db/ledger/pay-settlement-part.ts";
import { testLedger } from "./fixtures.ts";

// The first payment of a call follows from the call: one trigger resolves it, posts it and writes its entry.

const ledger = await testLedger();
const { db } = ledger;
const rich = await ledger.player();
const resolved = await ledger.openEvent();
const paidCall = await ledger.call({ userId: rich, spotId: resolved.trueSpot });
await ledger.call({ userId: await ledger.player(), spotId: resolved.falseSpot });
await ledger.settle(resolved, "true");

const violation = (statement: string) => ledger.violation(statement);
const wallet = (userId: number) => `(SELECT id FROM accounts WHERE user_id = ${userId} AND kind = 'wallet')`;

test("the entry of a call's first payment is written by the trigger on calls alone", async () => {
  const payment = (kind: string, listed: boolean) =>
    `WITH j AS (INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round, reason)
        VALUES ('${kind}', gen_random_uuid()::text, '', ${resolved.id}, 1, 'Mine') RETURNING id)
      INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents, held_after_cents,
        account_version, listed)
      SELECT j.id, a.id, ${paidCall}, 1, a.posted_cents + 1, a.held_cents, a.version + 1, ${listed}
      FROM j, accounts a WHERE a.id = ${wallet(rich)}`;
  for (const [kind, listed] of [
    ["settle", true],
    ["settle", false],
    ["grant", false],
  ] as const) {
    expect(await violation(payment(kind, listed))).toBe("entry is listed wrongly");
  }
});

test("a call is not resolved without the journal that pays it, nor beside a correction", async () => {
  const event = await ledger.openEvent();
  for (const spotId of [event.trueSpot, event.falseSpot]) {
    await ledger.call({ userId: await ledger.player(), spotId });
  }
  await ledger.close(event);
  await ledger.decide(event, { result: "true" });
  const paying = `UPDATE calls c SET state = 'resolved', payout_cents = l.payout_cents, outcome = l.outcome,
      ended_at = coalesce(ended_at, game_now())
    FROM settlements s JOIN settlement_lines l ON l.settlement_id = s.id
    WHERE s.event_id = ${event.id} AND NOT s.superseded AND c.id = l.call_id`;
  expect(await violation(paying)).toMatch('"journal_id"');
  await inTransaction(db, (tx) => paySettlementPart(tx, event.id, { callsMax: 1 }));
  await ledger.decide(event, { result: "false", reason: "Seen again" });
  expect(await violation(paying)).toBe("one statement resolves calls and changes resolved ones");
  await inTransaction(db, (tx) => payWholeSettlement(tx, event.id));
});
