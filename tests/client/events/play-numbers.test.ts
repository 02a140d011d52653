import { expect, test } from "bun:test";
import fc from "fast-check";
import { countdown, minutes } from "#client/base/format/countdown.ts";
import { newestCall, viewerCallsOn } from "#client/calls/viewer-calls.ts";
import { couldPayCents, isUnopposed, oddsText } from "#client/events/estimate.ts";
import { nothingToWager, wagerFault, wagerLimits } from "#client/events/wager-fault.ts";
import { shareOfTrue, sharesInPercent } from "#client/ui/pool-bar.tsx";
import { poolOf } from "#src/play/spots/contract.ts";
import { buildCall, buildEvent, inSeconds, NOW_MS } from "./action-states.ts";

/** The newest call, while it can be taken back. */
const cancellableCall = (...at: Parameters<typeof newestCall>) => {
  const newest = newestCall(...at);
  return newest?.why === null ? newest.call : null;
};

test.each([
  [30_000, "30"],
  [29_001, "30"],
  [5_000, "5"],
  [4_999, "5.0"],
  [3_640, "3.7"],
  [1, "0.1"],
  [0, "0"],
  [-500, "0"],
  [99_000, "99"],
  [100_000, "1:40"],
])("the countdown %d ms are formatted as %s", (leftMs, digits) => {
  expect(countdown(leftMs)).toBe(digits);
});

test.each([
  [5_000, "0:05"],
  [1_306_000, "21:46"],
  [3_729_000, "1:02:09"],
  [-1, "0:00"],
])("the countdown %d ms in minutes are %s", (leftMs, digits) => {
  expect(minutes(leftMs)).toBe(digits);
});

test("the shares of the two sides add up to 100 percent, whatever they are", () => {
  expect(sharesInPercent(shareOfTrue(poolOf(600, 1_000)))).toEqual({ true: "38%", false: "62%" });
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (trueCents, falseCents) => {
      const shares = sharesInPercent(shareOfTrue(poolOf(trueCents, falseCents)));
      expect(Number.parseInt(shares.true) + Number.parseInt(shares.false)).toBe(100);
    }),
  );
});

test("what a call could pay is the wager if the other side is empty, and with one more wager what it is once that is placed", () => {
  expect(couldPayCents(poolOf(0, 0), "true", { ownCents: 0, moreCents: 100 })).toBe(100);
  expect(couldPayCents(poolOf(100, 0), "true", { ownCents: 100 })).toBe(100);
  expect([isUnopposed(poolOf(100, 0), "true"), isUnopposed(poolOf(100, 0), "false")]).toEqual([true, false]);
  fc.assert(
    fc.property(fc.nat(9_999), fc.nat(9_999), fc.nat(9_999), fc.nat(9_999), (own, others, against, more) => {
      const before = poolOf(own + others, against);
      const after = poolOf(own + others + more, against);
      expect(couldPayCents(before, "true", { ownCents: own, moreCents: more })).toBe(
        couldPayCents(after, "true", { ownCents: own + more }),
      );
    }),
  );
});

test("the odds of a side are its share and what each dollar pays, the wager included", () => {
  const odds = (trueCents: number, falseCents: number, side: "true" | "false", wagerCents = 100) =>
    oddsText(poolOf(trueCents, falseCents), side, wagerCents);
  expect(odds(200, 1_000, "true")).toBe("17%, pays 4.33x");
  expect(odds(200, 1_000, "false")).toBe("83%, pays 1.18x");
  expect(odds(200, 1_000, "true", 500)).toBe("17%, pays 2.42x");
  expect(odds(100, 9_900, "true")).toBe("1%, pays 50.5x");
  expect(odds(1, 100_000, "true", 1)).toBe("0%, pays 50001x");
  expect(odds(1, 1e9, "true", 1)).toBe("0%, pays 99999x");
  expect(odds(99_999, 1, "true")).toBe("100%, pays 1.0x");
  // Nobody is against it, or nobody has called at all.
  expect([odds(200, 0, "true"), odds(0, 0, "true")]).toEqual(["", ""]);
});

test("the odds of a side never promise more than it could pay, and have one line on the smallest phone", () => {
  const cents = fc.integer({ min: 1, max: 10_000_000 });
  fc.assert(
    fc.property(cents, cents, cents, (trueCents, falseCents, wager) => {
      const pool = poolOf(trueCents, falseCents);
      const text = oddsText(pool, "true", wager);
      expect(text.length).toBeLessThanOrEqual("29%, pays 3.00x".length);
      const times = Number(/pays ([\d.]+)x$/.exec(text)?.[1]);
      expect(times * wager).toBeLessThanOrEqual(
        couldPayCents(pool, "true", { ownCents: 0, moreCents: wager }) + 1e-6,
      );
    }),
  );
});

const lost = buildCall({ id: 2, side: "false", state: "resolved", outcome: "lost", payoutCents: 0 });
const won = buildCall({ id: 1, state: "resolved", outcome: "won", payoutCents: 900 });

test("the viewer's calls have the outcome of their net sum", () => {
  const viewerCalls = viewerCallsOn(buildEvent({ myCalls: [won, lost] }));
  expect(viewerCalls.outcome).toEqual({
    kind: "lost",
    stakeCents: 1_000,
    returnCents: 900,
    netCents: -100,
  });
  expect(viewerCalls.wageredCents).toEqual({ true: 500, false: 500 });
});

test("a call can be cancelled until 5 s before the close, the newest first; a pause stops the clock", () => {
  const event = buildEvent({ closesAt: inSeconds(5), myCalls: [buildCall()] });
  expect(cancellableCall(event, null, NOW_MS)?.id).toBe(1);
  expect(cancellableCall(event, null, NOW_MS + 1)).toBeNull();
  expect(cancellableCall(event, inSeconds(0), NOW_MS + 60_000)?.id).toBe(1);
  expect(cancellableCall(event, inSeconds(1), NOW_MS)).toBeNull();
  expect(cancellableCall({ ...event, state: "closed" }, null, NOW_MS)).toBeNull();
});

test("a call can be cancelled during a pause if it was placed in the 10 s before it, else once it is over", () => {
  const placedAt = inSeconds(-10);
  const event = buildEvent({ closesAt: inSeconds(60), myCalls: [buildCall({ placedAt })] });
  expect(newestCall(event, inSeconds(0), NOW_MS + 60_000)).toMatchObject({ call: { id: 1 }, why: null });
  expect(newestCall(event, inSeconds(0.001), NOW_MS)).toMatchObject({ call: { id: 1 }, why: "paused" });
  expect(cancellableCall(event, inSeconds(0.001), NOW_MS)).toBeNull();
  expect(cancellableCall(event, null, NOW_MS)?.id).toBe(1);
  // The close is too near, whatever the host does.
  expect(newestCall(event, inSeconds(56), NOW_MS)).toBeNull();
});

const limits = { minCents: 200, availableCents: 10_000, leftCents: 5_000 };

test("an amount that cannot be wagered is refused with what can: more than the player has, and more than the question takes", () => {
  expect(wagerFault(1_500, { ...limits, availableCents: 1_000 })).toBe("You have $10.00 to wager.");
  expect(wagerFault(500, { ...limits, leftCents: 0 })).toBe("You've reached the limit for this question.");
});

test("who can wager nothing reads why: no money, or no more on this question", () => {
  expect(nothingToWager(limits)).toBeNull();
  expect(nothingToWager({ ...limits, availableCents: 199 })).toBe("Nothing left");
  expect(nothingToWager({ ...limits, leftCents: 0 })).toBe("Limit reached");
});

test("what is wagered on the question already counts against its most per player", () => {
  const event = buildEvent({
    maxWagerCents: 1_000,
    minWagerCents: 100,
    myCalls: [buildCall({ wagerCents: 700 })],
  });
  expect(wagerLimits({ event, viewerCalls: viewerCallsOn(event) }, 5_000)).toEqual({
    minCents: 100,
    availableCents: 5_000,
    leftCents: 300,
  });
});
