import { describe, expect, test } from "bun:test";
import { collectNews, type News } from "#client/results/collect-news.ts";
import {
  announceNext,
  type Announcing,
  dismiss,
  type Glance,
  KEPT_MS,
  nothingAnnounced,
  SEEN_ON_CARD_MS,
  SHOWN_MS,
} from "#client/results/use-announcing.ts";
import { paidCall, resolvedEvent, source, won } from "./results.ts";

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

describe("the row", () => {
  test("announces a result for its time, then it is the slip's again", () => {
    const phone = device(newsOf(won(1)));
    phone.look();
    expect(phone.row()).toBe("event 1");
    phone.lookFor(SHOWN_MS - 250);
    expect([phone.row(), phone.seen]).toEqual(["event 1", []]);
    phone.look();
    expect([phone.row(), phone.seen]).toEqual([null, ["event 1"]]);
    phone.lookFor(SHOWN_MS);
    expect(phone.seen).toEqual(["event 1"]);
  });

  test("announces several results one after the other, the oldest first", () => {
    const phone = device(newsOf(won(1), won(2)));
    phone.look();
    phone.lookFor(SHOWN_MS);
    expect([phone.row(), phone.seen]).toEqual(["event 2", ["event 1"]]);
    phone.lookFor(SHOWN_MS);
    expect([phone.row(), phone.seen]).toEqual([null, ["event 1", "event 2"]]);
  });

  test("starts nothing on a hidden page, and announces it when the phone is unlocked", () => {
    const phone = device(newsOf(won(1)));
    phone.lookFor(60_000, { visible: false });
    expect([phone.row(), phone.seen]).toEqual([null, []]);
    phone.look();
    expect(phone.row()).toBe("event 1");
  });

  test("counts only the time in which it was really visible", () => {
    const phone = device(newsOf(won(1)));
    phone.lookFor(SHOWN_MS - 500);
    phone.lookFor(60_000, { visible: false });
    phone.lookFor(60_000, { uncovered: { ...everywhere, row: false } });
    expect([phone.row(), phone.seen]).toEqual(["event 1", []]);
    phone.lookFor(750);
    expect(phone.seen).toEqual(["event 1"]);
  });
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

  test("drops what another tab of the device has shown", () => {
    const phone = device(newsOf(won(1)));
    phone.look();
    phone.bring([]);
    phone.look();
    expect([phone.row(), phone.seen]).toEqual([null, []]);
  });

  test("is closed by the viewer, which counts as seen", () => {
    const phone = device(newsOf(won(1), won(2)));
    phone.look();
    phone.close();
    expect([phone.row(), phone.seen]).toEqual([null, ["event 1"]]);
    phone.look();
    expect(phone.row()).toBe("event 2");
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

describe("the card", () => {
  test("announces its own result, and the row does not announce it at the same time", () => {
    const phone = device(newsOf(won(1), won(2)));
    phone.look({ cardKey: "event 2" });
    expect(phone.row()).toBe("event 1");
    phone.lookFor(SEEN_ON_CARD_MS, { cardKey: "event 2" });
    expect(phone.seen).toEqual(["event 2"]);
  });

  test("that the next action took away too soon leaves the result to the row", () => {
    const phone = device(newsOf(won(1)));
    phone.lookFor(SEEN_ON_CARD_MS - 250, { cardKey: "event 1" });
    phone.look();
    expect([phone.row(), phone.seen]).toEqual(["event 1", []]);
  });

  test("under a sheet was not seen", () => {
    const phone = device(newsOf(won(1)));
    phone.lookFor(60_000, { cardKey: "event 1", uncovered: { ...everywhere, card: false } });
    expect(phone.seen).toEqual([]);
  });
});

describe("the ticker", () => {
  test("announces results without a call of the viewer, beside the row", () => {
    const phone = device(newsOf(resolvedEvent(1), won(2)));
    phone.look();
    expect([phone.row(), phone.ticker()]).toEqual(["event 2", "event 1"]);
    phone.lookFor(SHOWN_MS);
    expect(phone.seen.toSorted()).toEqual(["event 1", "event 2"]);
  });

  test("keeps the last result for a while", () => {
    const phone = device(newsOf(won(1)));
    phone.look();
    phone.lookFor(SHOWN_MS);
    expect(phone.kept()).toBe("event 1");
    phone.lookFor(KEPT_MS - 250);
    expect(phone.kept()).toBe("event 1");
    phone.look();
    expect(phone.kept()).toBeNull();
  });
});
