import { expect, test } from "bun:test";
import fc from "fast-check";
import { plotOf } from "#client/screens/wallet/plot.ts";

test("fewer than two balances are not drawn", () => {
  expect([plotOf([]), plotOf([100])]).toEqual([null, null]);
});

test("any balances are drawn inside the box, with at most 8 grid lines", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1_000_000_00 }), { minLength: 2, maxLength: 100 }),
      (balances) => {
        const plot = plotOf(balances);
        expect(plot?.points.length).toBe(balances.length);
        const heights = [...(plot?.steps ?? "").matchAll(/,([-\d.]+)/g)].map((match) => Number(match[1]));
        expect(heights.length).toBeGreaterThan(balances.length);
        for (const y of [...heights, ...(plot?.lines.map((line) => line.y) ?? [])]) {
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(180);
        }
        const amounts = plot?.lines.map((line) => line.amountCents) ?? [];
        expect(amounts.length).toBeLessThanOrEqual(8);
        expect(amounts.every(Number.isInteger)).toBe(true);
      },
    ),
  );
});
