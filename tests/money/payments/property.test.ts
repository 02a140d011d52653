import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { applyChargeback, applyPayment } from "#db/ledger/apply-payment.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { payments } from "#db/schema/payments.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { readWallet, listDifferences } from "#tests/support/books.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { testDatabase } from "#tests/support/database.ts";

const PAID_CENTS = 1_000;
const GRANTED_CENTS = 500;
const RUNS = 25;

const database = await testDatabase();
const actorId = (await buildAdmin(database)).id;

/** The messages that a provider may send: about the payment, or about one of three chargebacks of fixed amounts. */
const amounts = { a: 300, b: 700, c: 1_000 } as const;
type Name = keyof typeof amounts;
type ProviderEvent = "succeeded" | "failed" | "spend" | { name: Name; state: "taken" | "returned" };
const events: fc.Arbitrary<ProviderEvent> = fc.oneof(
  fc.constantFrom("succeeded" as const, "failed" as const, "spend" as const),
  fc.record({
    name: fc.constantFrom("a" as const, "b" as const, "c" as const),
    state: fc.constantFrom("taken" as const, "returned" as const),
  }),
);

/** A model of the expected payment, in plain arithmetic. */
class Model {
  paid = false;
  spentCents = 0;
  readonly states = new Map<Name, "taken" | "returned">();

  get takenCents(): number {
    const taken = [...this.states].filter(([, state]) => state === "taken");
    return taken.reduce((sum, [name]) => sum + amounts[name], 0);
  }

  get netCents(): number {
    return GRANTED_CENTS - this.spentCents + (this.paid ? PAID_CENTS : 0) - this.takenCents;
  }

  apply(what: Exclude<ProviderEvent, "spend">): "done" | "refused" {
    if (what === "succeeded") this.paid = true;
    if (typeof what === "string") return "done";
    const { name, state } = what;
    if (!this.paid) return "refused";
    if (this.states.get(name) === "returned") return "done";
    const isNew = state === "taken" && !this.states.has(name);
    if (isNew && this.takenCents + amounts[name] > PAID_CENTS) return "refused";
    this.states.set(name, state);
    return "done";
  }
}

async function say(reference: string, what: Exclude<ProviderEvent, "spend">): Promise<"done" | "refused"> {
  const about = { provider: "test", reference, currency: "USD" };
  try {
    if (typeof what === "string")
      await applyPayment(database.pool.db, {
        ...about,
        type: what,
        amountCents: PAID_CENTS,
        providerRef: null,
      });
    else
      await applyChargeback(database.pool.db, {
        ...about,
        ...what,
        cause: what.name === "c" ? "dispute" : "refund",
        chargebackRef: what.name,
        chargebackId: null,
        amountCents: amounts[what.name],
      });
    return "done";
  } catch (error) {
    if (error instanceof LedgerRefusal) return "refused";
    throw error;
  }
}

test("messages in any order leave the payment as the model says, and the books agree", async () => {
  const { db } = database.pool;
  const play = async (sequence: readonly ProviderEvent[]) => {
    const { id: userId } = await buildPlayer(database, { balanceCents: GRANTED_CENTS });
    const reference = `pay_${crypto.randomUUID()}`;
    const terms = { provider: "test", reference, amountCents: PAID_CENTS, currency: "USD" };
    await db.insert(payments).values({ userId, ...terms });
    const model = new Model();
    for (const [index, what] of sequence.entries()) {
      if (what === "spend") {
        const { availableCents: amountCents } = await readWallet(db, userId);
        if (amountCents === 0) continue;
        const order = { userId, actorId, reason: "Spent", idempotencyKey: `${reference}-${index}` };
        await adjustWithAudit(db, { ...order, amountCents: -amountCents });
        model.spentCents += amountCents;
      } else {
        expect(await say(reference, what)).toBe(model.apply(what));
      }
    }
    const { postedCents, owedCents } = await readWallet(db, userId);
    expect(postedCents - owedCents).toBe(model.netCents);
    expect(Math.min(postedCents, owedCents)).toBe(0);
    const [payment] = await db.select().from(payments).where(eq(payments.reference, reference));
    expect(payment?.refundedCents).toBe(model.takenCents);
  };
  await fc.assert(fc.asyncProperty(fc.array(events, { minLength: 3, maxLength: 16 }), play), {
    numRuns: RUNS,
    endOnFailure: true,
  });
  expect(await listDifferences(db)).toEqual([]);
});
