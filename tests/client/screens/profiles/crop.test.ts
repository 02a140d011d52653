import { expect, test } from "bun:test";
import { centredIn, movedBy, resizedTo, sidesOf } from "#client/screens/profiles/crop.ts";

const wide = { width: 800, height: 400 };

test("the first square is the largest, in the middle", () => {
  expect(centredIn(wide)).toEqual({ x: 200, y: 0, size: 400 });
  expect(centredIn({ width: 3, height: 7 })).toEqual({ x: 0, y: 2, size: 3 });
});

test("a square moves within the edges, in whole pixels", () => {
  const crop = { x: 100, y: 100, size: 200 };
  expect(movedBy(crop, { x: 10.4, y: -20.6 }, wide)).toEqual({ x: 110, y: 79, size: 200 });
  expect(movedBy(crop, { x: -999, y: -999 }, wide)).toEqual({ x: 0, y: 0, size: 200 });
  expect(movedBy(crop, { x: 999, y: 999 }, wide)).toEqual({ x: 600, y: 200, size: 200 });
});

test("a square is resized around its middle, within the picture and a minimum", () => {
  const crop = { x: 100, y: 100, size: 200 };
  expect(resizedTo(crop, 100, wide)).toEqual({ x: 150, y: 150, size: 100 });
  expect(resizedTo(crop, 9_999, wide)).toEqual({ x: 0, y: 0, size: 400 });
  expect(resizedTo(crop, 0, wide).size).toBe(48);
});

test("a picture smaller than the minimum has one size only", () => {
  expect(sidesOf({ width: 20, height: 30 })).toEqual({ min: 20, max: 20 });
  expect(resizedTo(centredIn({ width: 20, height: 30 }), 1, { width: 20, height: 30 }).size).toBe(20);
});
