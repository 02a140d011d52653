import { expect, test } from "bun:test";
import { type ActionState, reduceActionState } from "#client/events/action-state.ts";
import { collectNews } from "#client/results/collect-news.ts";
import type { Memory } from "#client/results/memory.ts";
import { firstMemory, withShown } from "#client/results/use-announcing.ts";
import { cuesBetween, momentOf } from "#client/sound-and-vibration/play-cues.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import { buildActionState } from "#tests/client/events/action-states.ts";
import { source, wordsOf } from "#tests/client/results/results.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { buildLargeEvent, type LargeEvent, payOnePart } from "#tests/play/settlements/large-settlement.ts";
import { afterFile } from "#tests/support/after-file.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { payInParts } from "#tests/support/database.ts";
import { payNow } from "#tests/support/pay.ts";
import { testWorld } from "#tests/support/world.ts";
import { Relays } from "./relays.ts";

const world = await testWorld({}, { poolSize: 4 });
const { deps, db, by, build } = world;
await payInParts(deps.pool, { atOnceMax: 3, partMax: 2 });
const relays = await Relays.open(deps);
const web = relays.start();
afterFile(async () => {
  await relays.stop();
  relays.listener.stop();
});
const admin = await build.admin();

/** Three have $1.00 on True, the fourth $4.00 on False: the pool is $7.00. */
async function buildThirds(): Promise<LargeEvent> {
  const large = await buildLargeEvent(deps);
  await build.call({ userId: large.players[3].id, eventId: large.eventId, side: "false", wagerCents: 100 });
  await relays.sendAndClear(web);
  return large;
}

/** The page of a player, who looks at it all the time: what it shows, announces and plays. */
class OpenPage {
  #state: ActionState;
  #memory: Memory = firstMemory([], 0);
  #taken = { session: 0, own: 0 };
  readonly #player: BuiltUser;
  readonly #large: LargeEvent;
  readonly told: string[] = [];
  readonly heard: string[] = [];

  constructor(state: ActionState, player: BuiltUser, large: LargeEvent) {
    this.#state = state;
    this.#player = player;
    this.#large = large;
  }

  static async open(player: BuiltUser, large: LargeEvent): Promise<OpenPage> {
    const { sessionId } = large;
    const filter = { sessionId, viewerId: player.id, publishedOnly: true, now: new Date() };
    return new OpenPage(buildActionState(await findEventViews(db, filter), { id: sessionId }), player, large);
  }

  /** Takes what was broadcast meanwhile. What everybody hears comes first, or the player's own messages. */
  async follow(first: "session" | "own" = "session"): Promise<void> {
    web.notifyRelay();
    await relays.allSent();
    const ofSession = relays.listener.session(this.#large.sessionId);
    const own = relays.listener.user(this.#player.id);
    const changes = {
      session: ofSession.slice(this.#taken.session).map((message) => ({ kind: "message", message }) as const),
      own: own.slice(this.#taken.own).flatMap((message) => {
        if (message.sourceType !== "Call") return [];
        const { call, serverTime: asOf } = message.detail;
        return [{ kind: "call", call, asOf } as const];
      }),
    };
    this.#taken = { session: ofSession.length, own: own.length };
    const second = first === "own" ? "session" : "own";
    for (const change of [...changes[first], ...changes[second]]) this.#take(change);
  }

  #take(change: Parameters<typeof reduceActionState>[1]): void {
    const before = this.#moment();
    this.#state = reduceActionState(this.#state, change);
    const { events, ownCalls } = this.#state;
    const news = collectNews(source({ events, ownCalls, memory: this.#memory, nowMs: Date.now() }));
    this.#memory = withShown(this.#memory, news);
    this.told.push(...wordsOf(news).map((words) => words.split(" ·")[0] ?? ""));
    this.heard.push(...cuesBetween(before, this.#moment()));
  }

  #moment() {
    return momentOf({ state: this.#state, event: null, phase: "pending" });
  }
}

const resolve = ({ eventId }: LargeEvent, result: "true" | "false" | "void", terms = {}) =>
  by(admin).resolve(eventId, result, terms);

test.each(["session", "own"] as const)(
  "a page knows its player's own result to the cent from the message to everybody, and tells and plays it once (%s first)",
  async (first) => {
    const large = await buildThirds();
    const pages = await Promise.all(large.players.map((player) => OpenPage.open(player, large)));
    await resolve(large, "true");
    for (const page of pages) await page.follow();
    const told = [
      ["row: You called it: +$1.34"],
      ["row: You called it: +$1.33"],
      ["row: You called it: +$1.33"],
      ["row: It went the other way: -$4.00"],
    ];
    const heard = [["won"], ["won"], ["won"], ["lost"]];
    expect(pages.map((page) => page.told)).toEqual(told);
    expect(pages.map((page) => page.heard)).toEqual(heard);
    await payOnePart(deps, large);
    for (const page of pages) await page.follow(first);
    await payNow(deps);
    for (const page of pages) await page.follow(first);
    expect(pages.map((page) => page.told)).toEqual(told);
    expect(pages.map((page) => page.heard)).toEqual(heard);
  },
);

test("a correction before the payment is told when it is paid, and not before", async () => {
  const large = await buildThirds();
  const page = await OpenPage.open(large.players[0], large);
  await resolve(large, "true");
  await page.follow();
  await resolve(large, "false", { reason: "The replay shows it" });
  await page.follow();
  expect(page.told).toEqual(["row: You called it: +$1.34"]);
  await payNow(deps);
  await page.follow();
  expect(page.told.slice(1)).toEqual(["row: Corrected to False: $2.34 taken back, net -$1.00"]);
});

test("where calls came after the moment that decided it, a page waits for its player's own payment", async () => {
  const large = await buildThirds();
  const page = await OpenPage.open(large.players[0], large);
  await resolve(large, "true", { effectiveAt: new Date() });
  await page.follow();
  expect(page.told).toEqual([]);
  await payNow(deps);
  await page.follow();
  expect(page.told).toEqual(["row: You called it: +$1.34"]);
});

test("a page that is opened before the payment shows the own result, and the wallet what is booked", async () => {
  const large = await buildThirds();
  const { slug } = await world.read.session(large.sessionId);
  const reader = await readerFor(deps, world.server, large.players[0]);
  await resolve(large, "true");
  const before = (await reader.open(`/sessions/${slug}`)).html;
  expect(before).toContain("+$1.34");
  expect(before).not.toContain("Paying out now.");
  expect(before).toContain("$99.00");
  // In its place, and not yet to be pressed: only what is paid is shared.
  expect(before).toMatch(/ disabled="">Share/);
  await payNow(deps);
  const after = (await reader.open(`/sessions/${slug}`)).html;
  expect(after).toContain("+$1.34");
  expect(after).toContain("$101.34");
  expect(after).not.toMatch(/ disabled="">Share/);
});
