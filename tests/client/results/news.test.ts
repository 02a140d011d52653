import { describe, expect, test } from "bun:test";
import { collectNews, joinMany, ANNOUNCED_WITHIN_MS, type News } from "#client/results/collect-news.ts";
import {
  firstMemory,
  withShown,
  announceNext,
  type Announcing,
  dismiss,
  type Glance,
  KEPT_MS,
  nothingAnnounced,
  SEEN_ON_CARD_MS,
  SHOWN_MS,
} from "#client/results/use-announcing.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import { buildCall, buildEvent, inSeconds } from "../events/action-states.ts";
import { paidCall, refundNotification, resolvedEvent, source, won, wordsOf } from "./results.ts";

const tellOf = (...events: Parameters<typeof collectNews>[0]["events"]) =>
  wordsOf(collectNews(source({ events })));

describe("the words of being right, and of a refund", () => {
  test("being right while nobody took the other side is told as that, and goes on with the streak", () => {
    const refundReason = "no_loser" as const;
    const right = resolvedEvent(2, {
      pool: poolOf(500, 0),
      resolvedAt: inSeconds(0),
      myCalls: [paidCall(2, 500, { refundReason })],
    });
    expect(tellOf(right)).toEqual([
      "row: You were right: $5.00 back, nobody took the other side · Question 2?",
    ]);
    expect(tellOf(won(1), right)[1]).toContain("nobody took the other side, 2 in a row");
  });

  test("a refund says that nobody had called the result", () => {
    const refunded = resolvedEvent(1, { pool: poolOf(0, 500), myCalls: [paidCall(1, 500)] });
    expect(tellOf(refunded)).toEqual(["row: $5.00 back: nobody called it · Question 1?"]);
  });

  test("a void says the host's reason, and is urgent", () => {
    const voided = { result: null, voided: true, resultReason: "Rained off", myCalls: [paidCall(1, 500)] };
    const [news] = collectNews(source({ events: [resolvedEvent(1, voided)] }));
    expect(wordsOf(news === undefined ? [] : [news])).toEqual([
      "row: Called off, $5.00 is back: Rained off · Question 1?",
    ]);
    expect(news?.urgent).toBe(true);
    expect(tellOf(resolvedEvent(1, { ...voided, resultReason: null }))).toEqual([
      "row: Called off: $5.00 is back · Question 1?",
    ]);
  });
});

describe("what is announced", () => {
  test("nothing is announced before the result, and nothing before the viewer's own calls are paid", () => {
    const unpaid = resolvedEvent(1, { myCalls: [buildCall({ state: "closed" })] });
    expect(tellOf(unpaid, buildEvent({ id: 2 }), buildEvent({ id: 3, state: "closed" }))).toEqual([]);
  });

  test("on the first visit of a device all that its page came with counts as shown", () => {
    const unpaid = resolvedEvent(2, { myCalls: [buildCall({ id: 200, eventId: 2, state: "closed" })] });
    const memory = firstMemory([won(1), unpaid], 0);
    expect(tellOf(won(1))).toHaveLength(1);
    expect(wordsOf(collectNews(source({ events: [won(1), won(2)], memory })))).toEqual([
      "row: You called it: +$3.04, 2 in a row · Question 2?",
    ]);
  });

  test("results of long ago are history", () => {
    const old = { ...won(1), updatedAt: inSeconds(-ANNOUNCED_WITHIN_MS / 1_000) };
    expect(tellOf(old)).toEqual([]);
  });
});

describe("a correction", () => {
  const before = resolvedEvent(1, { myCalls: [paidCall(1, 1_333)] });
  const memory = withShown(firstMemory([], 0), collectNews(source({ events: [before] })));
  const after = (changes: Parameters<typeof resolvedEvent>[1]) =>
    wordsOf(collectNews(source({ events: [resolvedEvent(1, changes)], memory })));

  test("to void says so", () => {
    const voided = { result: null, voided: true, myCalls: [paidCall(1, 500)] };
    expect(after(voided)).toEqual(["row: Corrected to void: $8.33 taken back, net $0.00 · Question 1?"]);
  });

  test("is not what a reset action's next result is: that one is announced as a result", () => {
    const again = { openedAt: inSeconds(-5), result: false, myCalls: [paidCall(1, 0)] };
    expect(after(again)).toEqual(["row: It went the other way: -$5.00 · Question 1?"]);
    expect(after({ ...again, myCalls: [] })[0]).toStartWith("ticker: No: ");
  });

  test("is announced to viewers without a call in the ticker", () => {
    const known = firstMemory([resolvedEvent(1)], 0);
    const corrected = resolvedEvent(1, { result: false });
    expect(wordsOf(collectNews(source({ events: [corrected], memory: known })))).toEqual([
      "ticker: Corrected to No · Question 1?",
    ]);
  });
});

describe("a refund of an action that is gone", () => {
  const announced = (
    ...[notification, changes]: [ReturnType<typeof refundNotification>, Parameters<typeof source>[0]?]
  ) => wordsOf(collectNews(source({ notifications: [notification], ...changes })));

  test("is not announced twice: not where the event is listed with the call, nor once it was shown or read", () => {
    const listed = resolvedEvent(9, { myCalls: [buildCall({ id: 900, eventId: 9, state: "closed" })] });
    expect(announced(refundNotification(3), { events: [listed] })).toEqual([]);
    expect(announced(refundNotification(3), { memory: firstMemory([], 3) })).toEqual([]);
    expect(announced(refundNotification(3, { readAt: inSeconds(0) }))).toEqual([]);
  });

  test("of another session and other kinds of notifications are not announced here", () => {
    expect(announced(refundNotification(3, { url: "/sessions/other/history/900" }))).toEqual([]);
    expect(announced(refundNotification(3, { url: null }))).toEqual([]);
    expect(announced(refundNotification(3, { kind: "announcement" }))).toEqual([]);
  });
});

test("more than three results at once are one sentence, which covers all of them", () => {
  const three = collectNews(source({ events: [won(1), won(2), won(3)] }));
  expect(joinMany(three, "/sessions/derby")).toEqual(three);
  const four = collectNews(source({ events: [won(1), won(2), won(3), won(4)] }));
  const [summary, ...others] = joinMany(four, "/sessions/derby");
  expect(others).toEqual([]);
  expect(summary?.lead).toBe("While you were away: 4 results, net +$12.16");
  const memory = withShown(firstMemory([], 0), summary === undefined ? [] : [summary]);
  expect(collectNews(source({ events: [won(1), won(2), won(3), won(4)], memory }))).toEqual([]);
});

const everywhere = { row: true, ticker: true, card: true };

function glance(changes: Partial<Glance> = {}): Glance {
  const looking = { ms: 250, visible: true, uncovered: everywhere };
  return { ...looking, held: false, cardKey: null, restMs: 0, ...changes };
}

/** Plays glances on a device: what is seen is no news any more. */
function device(first: readonly News[]) {
  let news = first;
  let announcing: Announcing = nothingAnnounced;
  const seen: string[] = [];
  const apply = (next: ReturnType<typeof announceNext>) => {
    announcing = next.announcing;
    news = news.filter((each) => !next.announced.includes(each));
    seen.push(...next.announced.map(({ key }) => key));
  };
  return {
    seen,
    row: () => announcing.row?.news.key ?? null,
    ticker: () => announcing.ticker?.news.key ?? null,
    kept: () => announcing.kept?.news.key ?? null,
    bring: (more: readonly News[]) => {
      news = more;
    },
    look: (changes: Partial<Glance> = {}) => apply(announceNext(announcing, news, glance(changes))),
    /** Looks for so long, in glances. */
    lookFor: (ms: number, changes: Partial<Glance> = {}) => {
      for (let passed = 0; passed < ms; passed += 250) apply(announceNext(announcing, news, glance(changes)));
    },
    close: (restMs = 0) => apply(dismiss(announcing, restMs)),
  };
}

const newsOf = (...events: Parameters<typeof collectNews>[0]["events"]) => collectNews(source({ events }));

test("the row counts only the time in which it was really visible", () => {
  const phone = device(newsOf(won(1)));
  phone.lookFor(SHOWN_MS - 500);
  phone.lookFor(60_000, { visible: false });
  phone.lookFor(60_000, { uncovered: { ...everywhere, row: false } });
  expect([phone.row(), phone.seen]).toEqual(["event 1", []]);
  phone.lookFor(750);
  expect(phone.seen).toEqual(["event 1"]);
});

describe("the row in the hands of the viewer", () => {
  test("does not change while the focus is in it", () => {
    const phone = device(newsOf(won(1)));
    phone.look();
    phone.lookFor(60_000, { held: true });
    expect(phone.row()).toBe("event 1");
    phone.look();
    expect(phone.row()).toBeNull();
  });

  test("begins again if the result is corrected meanwhile", () => {
    const phone = device(newsOf(won(1)));
    phone.look();
    phone.lookFor(SHOWN_MS - 500);
    phone.bring(newsOf(resolvedEvent(1, { result: false, myCalls: [paidCall(1, 0)] })));
    phone.lookFor(SHOWN_MS - 250);
    expect([phone.row(), phone.seen]).toEqual(["event 1", []]);
    phone.lookFor(500);
    expect(phone.seen).toEqual(["event 1"]);
  });

  test("is left to the viewer's own open call between two results, so that Cancel is never away for long", () => {
    const phone = device(newsOf(won(1), won(2)));
    const restMs = 3_000;
    phone.look({ restMs });
    phone.lookFor(SHOWN_MS, { restMs });
    expect([phone.row(), phone.seen]).toEqual([null, ["event 1"]]);
    phone.lookFor(restMs - 250, { restMs });
    expect(phone.row()).toBeNull();
    phone.look({ restMs });
    expect(phone.row()).toBe("event 2");
    phone.close(restMs);
    expect(phone.row()).toBeNull();
  });
});

test("the card announces its own result, and the row does not announce it at the same time", () => {
  const phone = device(newsOf(won(1), won(2)));
  phone.look({ cardKey: "event 2" });
  expect(phone.row()).toBe("event 1");
  phone.lookFor(SEEN_ON_CARD_MS, { cardKey: "event 2" });
  expect(phone.seen).toEqual(["event 2"]);
});

test("the card that the next action took away too soon leaves the result to the row", () => {
  const phone = device(newsOf(won(1)));
  phone.lookFor(SEEN_ON_CARD_MS - 250, { cardKey: "event 1" });
  phone.look();
  expect([phone.row(), phone.seen]).toEqual(["event 1", []]);
});

test("the ticker announces results without a call of the viewer, beside the row", () => {
  const phone = device(newsOf(resolvedEvent(1), won(2)));
  phone.look();
  expect([phone.row(), phone.ticker()]).toEqual(["event 2", "event 1"]);
  phone.lookFor(SHOWN_MS);
  expect(phone.seen.toSorted()).toEqual(["event 1", "event 2"]);
});

test("the ticker keeps the last result for a while", () => {
  const phone = device(newsOf(won(1)));
  phone.look();
  phone.lookFor(SHOWN_MS);
  expect(phone.kept()).toBe("event 1");
  phone.lookFor(KEPT_MS - 250);
  expect(phone.kept()).toBe("event 1");
  phone.look();
  expect(phone.kept()).toBeNull();
});
