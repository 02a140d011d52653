import { expect, test } from "bun:test";
import { createDelayLine, type DelayLine } from "#client/base/delay/delay-line.ts";

const DELAY_MS = 10_000;

/** A line on a clock of its own: `pass` moves it and lets the timer ring. */
function lineOnClock() {
  let nowMs = 0;
  let timer: { dueMs: number; act: () => void } | null = null;
  const line: DelayLine = createDelayLine({
    delayMs: DELAY_MS,
    nowMs: () => nowMs,
    after: (ms, act) => {
      const own = { dueMs: nowMs + ms, act };
      timer = own;
      return () => {
        if (timer === own) timer = null;
      };
    },
  });
  const shown: string[] = [];
  return {
    line,
    shown,
    push: (lane: string, atMs: number, text: string) => line.push(lane, atMs, () => void shown.push(text)),
    /** @param isLate the timer rings only at the end, as in a page in the background. */
    pass: (ms: number, { isLate = false } = {}) => {
      const endMs = nowMs + ms;
      while (timer !== null && timer.dueMs <= endMs) {
        const { dueMs, act } = timer;
        timer = null;
        nowMs = isLate ? endMs : Math.max(nowMs, dueMs);
        act();
      }
      nowMs = endMs;
    },
  };
}

test("a message is shown when the delay has passed since it was sent, and not a moment earlier", () => {
  const { push, pass, shown } = lineOnClock();
  push("session", 0, "result");
  pass(DELAY_MS - 1);
  expect(shown).toEqual([]);
  pass(1);
  expect(shown).toEqual(["result"]);
});

test("messages that come late are shown at their time, and at once if that is over", () => {
  const { push, pass, shown } = lineOnClock();
  pass(15_000);
  push("session", 2_000, "missed long ago");
  push("session", 14_000, "just missed");
  pass(0);
  expect(shown).toEqual(["missed long ago"]);
  pass(9_000);
  expect(shown).toEqual(["missed long ago", "just missed"]);
});

test("messages of one stream keep their order, also if the times in them do not", () => {
  const { push, pass, shown } = lineOnClock();
  push("session", 500, "first");
  push("session", 400, "second");
  pass(DELAY_MS + 450);
  expect(shown).toEqual([]);
  pass(50);
  expect(shown).toEqual(["first", "second"]);
});

test("what another stream brings later but was sent earlier is shown earlier", () => {
  const { push, pass, shown } = lineOnClock();
  push("session", 900, "close");
  push("user", 100, "wallet");
  pass(DELAY_MS + 100);
  expect(shown).toEqual(["wallet"]);
  pass(800);
  expect(shown).toEqual(["wallet", "close"]);
});

test("a page that was in the background shows all that is due, in its order", () => {
  const { push, pass, shown, line } = lineOnClock();
  for (const seconds of [3, 1, 2]) push(`stream ${seconds}`, seconds * 1_000, `${seconds} s`);
  pass(60_000, { isLate: true });
  expect(shown).toEqual(["1 s", "2 s", "3 s"]);
  expect(line.waiting).toBe(0);
});

test("what one message leads to may add another one", () => {
  const { line, push, pass, shown } = lineOnClock();
  line.push("session", 0, () => push("answers", DELAY_MS, "answer"));
  pass(DELAY_MS);
  expect([shown, line.waiting]).toEqual([[], 1]);
  pass(DELAY_MS);
  expect(shown).toEqual(["answer"]);
});
