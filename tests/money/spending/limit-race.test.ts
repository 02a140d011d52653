import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { connect } from "#db/client.ts";
import { payments } from "#db/schema/payments.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { createServer } from "#src/server.ts";
import { sayStripe, sessionOf, stripeVariables } from "#tests/money/payments/stripe-events.ts";
import { startStripeServer } from "#tests/money/payments/stripe-server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { createClient, signInDirectly, type TestClient } from "#tests/support/client.ts";
import { connectDeps } from "#tests/support/connect-deps.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import type { Server } from "#tests/support/server.ts";
import { testWorld } from "#tests/support/world.ts";

const PROCESSES = 10;
const ORDERS = 50;
const ROUNDS = roundsOf({ daily: 6, many: 1_000 });

const stripe = startStripeServer();
afterFile(() => stripe.stop());
const variables = { ...stripeVariables(stripe), RATE_LIMITS: "off", DEPOSIT_MAX_WEEK: "100.00" };
const { deps, db, build, read } = await testWorld(variables);
const servers = await Promise.all(
  Array.from({ length: PROCESSES }, async () => {
    const pool = connect(deps.env.databaseUrl, { poolSize: 2 });
    const own = await connectDeps(deps.env, pool);
    afterFile(async () => {
      await own.close();
      await pool.close();
    });
    return createServer(own);
  }),
);

// As on a slow disk: an order that was judged is not seen by the others for a moment. Without it so few overlap that a missing lock is not found.
await db.execute(sql`CREATE FUNCTION wait_for_disk() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_sleep(0.002); RETURN NULL; END $$`);
await db.execute(
  sql`CREATE TRIGGER slow_disk AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION wait_for_disk()`,
);

const inTurn = <Item>(items: readonly Item[], at: number): Item => {
  const item = items[at % items.length];
  if (item === undefined) throw new Error("there are ten");
  return item;
};
const order = (browser: TestClient, cents: number) =>
  browser.send("POST", "/api/v1/payments", { payment: { amount: cents / 100 } });
const begun = (body: unknown) => v.parse(paymentAnswer, body).payment;

/** What becomes of a checkout, by a message of Stripe to one of the processes. By the first two it still counts. */
const fates: readonly ((server: Server, payment: PaymentView) => Promise<number[]>)[] = [
  () => Promise.resolve([]),
  async (server, payment) => [await complete(server, payment)],
  async (server, payment) => [
    await sayStripe(server, { type: "checkout.session.expired", object: sessionOf(payment) }),
  ],
  async (server, payment) => [await complete(server, payment), await refundHalf(server, payment)],
];

const complete = (server: Server, payment: PaymentView) =>
  sayStripe(server, { type: "checkout.session.completed", object: sessionOf(payment) });

function refundHalf(server: Server, { reference, amountCents }: PaymentView): Promise<number> {
  const intent = `pi_${reference}`;
  stripe.refund(intent, Math.floor(amountCents / 2));
  return sayStripe(server, { type: "charge.refunded", object: { object: "refund", payment_intent: intent } });
}

/** A player with a limit, at each of the processes. */
async function newPlayer(ownCents: number | null) {
  const player = await build.player({ balanceCents: 0 });
  const credentials = await signInDirectly(deps, player);
  const browsers = servers.map((server) => createClient(server, () => credentials));
  const limit = { limit: { amount: (ownCents ?? 0) / 100 } };
  if (ownCents !== null) await inTurn(browsers, 0).send("PUT", "/api/v1/spending/limits/7", limit);
  return { player, browsers };
}

/** What counts: what is booked, net of refunds, and what is open. */
async function countOf(userId: number) {
  const rows = await db.select().from(payments).where(eq(payments.userId, userId));
  const sumOf = (...states: (typeof rows)[number]["state"][]) =>
    rows
      .filter(({ state }) => states.includes(state))
      .reduce((cents, { amountCents, refundedCents }) => cents + amountCents - refundedCents, 0);
  const bookedCents = sumOf("succeeded", "refunded");
  return { rows: rows.length, bookedCents, countedCents: bookedCents + sumOf("pending") };
}

test("50 orders at once from ten processes, while checkouts are paid, end and are refunded, never pass a limit by a cent", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const limitCents = round % 2 === 0 ? 4_321 : 10_000;
    const { player, browsers } = await newPlayer(round % 2 === 0 ? limitCents : null);
    // They are open, and end while the others come.
    const before = await Promise.all(
      fates.map(async () => begun((await order(inTurn(browsers, round), 500)).body)),
    );
    const ending = before.map((payment, at) => inTurn(fates, at)(inTurn(servers, at), payment));
    const ordering = Array.from({ length: ORDERS }, async (_, at) => {
      const { status, body } = await order(inTurn(browsers, at), 100 + ((at * 37 + round) % 400));
      if (status !== 201) return [status];
      // None of them ends, which would hide that it was one too many.
      return [status, ...(await inTurn(fates.slice(0, 2), at)(inTurn(servers, at + 3), begun(body)))];
    });
    const [ends, answers] = await Promise.all([Promise.all(ending), Promise.all(ordering)]);
    for (const said of [...ends.flat(), ...answers.flatMap((each) => each.slice(1))]) expect(said).toBe(200);
    const taken = answers.filter(([status]) => status === 201).length;
    const { rows, bookedCents, countedCents } = await countOf(player.id);
    expect(rows).toBe(before.length + taken);
    expect(answers.filter(([status]) => status === 422).length).toBe(ORDERS - taken);
    expect(countedCents).toBeLessThanOrEqual(limitCents);
    expect((await read.wallet(player.id)).availableCents).toBe(bookedCents);
    // What is left is left to the cent.
    const leftCents = limitCents - countedCents;
    expect((await order(inTurn(browsers, 0), Math.max(100, leftCents + 1))).status).toBe(422);
    if (leftCents >= 100) expect((await order(inTurn(browsers, 1), leftCents)).status).toBe(201);
  }
});
