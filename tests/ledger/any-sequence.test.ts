import { expect, test } from "bun:test";
import fc from "fast-check";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import type { StakedCall } from "#src/play/calls/compute-payouts.ts";
import { readWallet } from "#tests/support/books.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { computePayouts } from "./compute-payouts.ts";
import { testLedger, type BuiltEvent, type Result } from "./fixtures.ts";
import { adjust, chargeBack, deposit, type Deposit } from "./move-money.ts";
import { expectRecomputedHistory } from "./recomputed-history.ts";

type ModelCall = StakedCall & { player: number; event: number; active: boolean };

/**
 * A model of the ledger with plain sums: each player's deposits, the active calls, and the payouts of the results in force.
 */
class LedgerModel {
  readonly #addedCents: number[];
  readonly #results = new Map<number, Result>();
  #calls: ModelCall[] = [];

  constructor(startsCents: readonly number[]) {
    this.#addedCents = [...startsCents];
  }

  addCents(player: number, amountCents: number): void {
    this.#addedCents[player] = (this.#addedCents[player] ?? 0) + amountCents;
  }

  place(call: Omit<ModelCall, "active" | "placedAtUs">): void {
    this.#calls.push({ ...call, active: true, placedAtUs: 0 });
  }

  cancel(callId: number): void {
    this.#calls = this.#calls.filter((call) => call.callId !== callId);
  }

  /** Decides an event, or corrects its result. */
  settle(event: number, result: Result): void {
    this.#results.set(event, result);
    for (const call of this.#calls) if (call.event === event) call.active = false;
  }

  /** Removes all calls of an event. */
  reset(event: number): void {
    this.#results.delete(event);
    this.#calls = this.#calls.filter((call) => call.event !== event);
  }

  /** What a player's open calls hold, in cents. */
  heldCents(player: number): number {
    const open = this.#calls.filter((call) => call.player === player && call.active);
    return open.reduce((sum, { wagerCents }) => sum + wagerCents, 0);
  }

  /** What a player has, less what the player owes, in cents. */
  netCents(player: number): number {
    let cents = this.#addedCents[player] ?? 0;
    for (const [event, result] of this.#results) {
      const ofEvent = this.#calls.filter((call) => call.event === event);
      const payouts = computePayouts(ofEvent, { result, effectiveAtUs: null });
      for (const { callId, wagerCents } of ofEvent.filter((call) => call.player === player)) {
        cents += (payouts.get(callId)?.payoutCents ?? 0) - wagerCents;
      }
    }
    return cents;
  }
}

const RUNS = roundsOf({ daily: 12, many: 150 });
const STEPS_MAX = 12;
/** Small enough to be used up, and to owe. */
const START_CENTS = 300;

const ledger = await testLedger();
const { pool, db } = ledger;

const player = fc.nat({ max: 1 });
const event = fc.nat({ max: 1 });
const cents = fc.integer({ min: 1, max: 200 });
const result = fc.constantFrom("true" as const, "false" as const, "void" as const);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("place" as const),
      player,
      event,
      yes: fc.boolean(),
      onTheHouse: fc.boolean(),
      cents,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("decide" as const), event, result }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const), event }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("deposit" as const), player, cents }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("chargeBack" as const), which: fc.nat(), cents }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("adjust" as const),
      player,
      cents: fc.integer({ min: -200, max: 200 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test("after any sequence of operations the ledger equals a model of plain sums, and the histories what the rows say", async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: STEPS_MAX }), async (steps) => {
    const table = await SequenceRun.open();
    for (const each of steps) await table.take(each);
    await table.expectPlainSums();
    await table.expectHistories();
  });
  await fc.assert(property, { numRuns: RUNS });
  await ledger.expectToAgree();
});

/** Two players and two events, in the ledger and in the model. */
class SequenceRun {
  readonly #players: readonly number[];
  readonly #events: readonly BuiltEvent[];
  readonly #decided = new Set<number>();
  readonly #housed = new Set<string>();
  readonly #books: LedgerModel;
  readonly #calls: { callId: number; userId: number; event: number }[] = [];
  readonly #paid: (Deposit & { player: number })[] = [];

  private constructor(players: readonly number[], events: readonly BuiltEvent[]) {
    this.#players = players;
    this.#events = events;
    this.#books = new LedgerModel(players.map(() => START_CENTS));
  }

  static async open(): Promise<SequenceRun> {
    const [one, two, first, second] = await Promise.all([
      ledger.player(START_CENTS),
      ledger.player(START_CENTS),
      ledger.openEvent(),
      ledger.openEvent(),
    ]);
    return new SequenceRun([one, two], [first, second]);
  }

  take(each: Step): Promise<void> {
    switch (each.do) {
      case "place":
        return this.#place(each);
      case "cancel":
        return this.#cancel(each.which);
      case "decide":
        return this.#decide(each);
      case "reset":
        return this.#reset(each.event);
      case "deposit":
        return this.#deposit(each);
      case "chargeBack":
        return this.#chargeBack(each);
      case "adjust":
        return this.#adjust(each);
    }
  }

  async expectPlainSums(): Promise<void> {
    for (const [index, userId] of this.#players.entries()) {
      const { postedCents, heldCents, owedCents } = await readWallet(db, userId);
      const [held, net] = [this.#books.heldCents(index), this.#books.netCents(index)];
      // Nobody owes more than the available money cannot pay.
      const owed = Math.max(0, held - net);
      expect({ heldCents, owedCents, postedCents }).toEqual({
        heldCents: held,
        owedCents: owed,
        postedCents: net + owed,
      });
    }
  }

  async expectHistories(): Promise<void> {
    for (const userId of this.#players) await expectRecomputedHistory(pool, userId);
  }

  async #place({ player: index, event: at, ...call }: Step & { do: "place" }): Promise<void> {
    const { yes, onTheHouse, cents: wagerCents } = call;
    const [userId, { trueSpot, falseSpot }] = [this.#userOf(index), this.#eventAt(at)];
    const { availableCents, heldCents } = await readWallet(db, userId);
    const { code, callId } = await ledger.place({
      userId,
      spotId: yes ? trueSpot : falseSpot,
      wagerCents,
      onTheHouse,
    });
    // Where a call asks, the house adds what is missing to a dollar, once for a player and event.
    const missingCents = Math.max(0, wagerCents - availableCents);
    const isHoused =
      onTheHouse && wagerCents <= 100 && heldCents === 0 && !this.#housed.has(`${index} ${at}`);
    const covered = missingCents === 0 || isHoused ? "placed" : "insufficient";
    expect(code).toBe(this.#decided.has(at) ? "wrong_state" : covered);
    if (code !== "placed" || callId === null) return;
    if (missingCents > 0) this.#housed.add(`${index} ${at}`);
    this.#books.addCents(index, missingCents);
    this.#calls.push({ callId, userId, event: at });
    this.#books.place({ callId, player: index, event: at, side: yes ? "true" : "false", wagerCents });
  }

  async #cancel(which: number): Promise<void> {
    const open = this.#calls.filter((call) => !this.#decided.has(call.event));
    const call = open[which % open.length];
    if (call === undefined) return;
    await cancelCall(db, call);
    this.#forget(({ callId }) => callId === call.callId);
    this.#books.cancel(call.callId);
  }

  /** Settles an event, or corrects it. */
  async #decide({ event: at, result: how }: Step & { do: "decide" }): Promise<void> {
    const staged = this.#eventAt(at);
    if (!this.#decided.has(at)) await ledger.close(staged);
    await ledger.resolve(staged, { result: how, reason: "Looked at it again" });
    this.#decided.add(at);
    this.#books.settle(at, how);
  }

  async #reset(at: number): Promise<void> {
    await ledger.reset(this.#eventAt(at));
    await ledger.open(this.#eventAt(at));
    this.#decided.delete(at);
    this.#forget((call) => call.event === at);
    this.#books.reset(at);
  }

  async #deposit({ player: index, cents: amountCents }: Step & { do: "deposit" }): Promise<void> {
    this.#paid.push({ ...(await deposit(pool, this.#userOf(index), amountCents)), player: index });
    this.#books.addCents(index, amountCents);
  }

  async #chargeBack({ which, cents: amountCents }: Step & { do: "chargeBack" }): Promise<void> {
    const payment = this.#paid[which % this.#paid.length];
    if (payment === undefined || payment.leftCents === 0) return;
    const partCents = Math.min(amountCents, payment.leftCents);
    await chargeBack(pool, payment, partCents);
    payment.leftCents -= partCents;
    this.#books.addCents(payment.player, -partCents);
  }

  async #adjust({ player: index, cents: amountCents }: Step & { do: "adjust" }): Promise<void> {
    if (amountCents === 0) return;
    await adjust(pool, this.#userOf(index), amountCents);
    this.#books.addCents(index, amountCents);
  }

  #forget(which: (call: { callId: number; event: number }) => boolean): void {
    const gone = this.#calls.filter(which);
    for (const call of gone) this.#calls.splice(this.#calls.indexOf(call), 1);
  }

  #userOf(index: number): number {
    const userId = this.#players[index];
    if (userId === undefined) throw new Error("there are two players");
    return userId;
  }

  #eventAt(index: number): BuiltEvent {
    const staged = this.#events[index];
    if (staged === undefined) throw new Error("there are two events");
    return staged;
  }
}
