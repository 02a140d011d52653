import { expect, test } from "bun:test";
import fc from "fast-check";
import { plotOf } from "#client/wallet/plot.ts";

test("fewer than two balances are not drawn", () => {
  expect([plotOf([]), plotOf([100])]).toEqual([null, null]);
});

test("a balance is drawn as steps that end at the newest", () => {
  const plot = plotOf([10_000, 9_500, 10_712]);
  expect(plot?.steps).toMatch(/^M0 [\d.]+H[\d.]+V[\d.]+H[\d.]+V[\d.]+H520$/);
  expect(plot?.lines.map((line) => line.amountCents)).toEqual([9_500, 10_000, 10_500]);
});

test("whatever the balances, the drawing stays in its box and the grid is short", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1_000_000_00 }), { minLength: 2, maxLength: 100 }),
      (balances) => {
        const plot = plotOf(balances);
        const heights = [...(plot?.steps ?? "").matchAll(/[V ]([-\d.]+)/g)].map((match) => Number(match[1]));
        expect(heights.length).toBe(balances.length);
        for (const y of [...heights, ...(plot?.lines.map((line) => line.y) ?? [])]) {
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(180);
        }
        expect(plot?.lines.length).toBeLessThanOrEqual(12);
      },
    ),
  );
});
