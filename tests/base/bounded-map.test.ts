import { expect, test } from "bun:test";
import { BoundedMap, boundedMaps } from "#src/base/bounded-map.ts";

test("the entry that was set longest ago makes way", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});

test("each owner has its own map", () => {
  const mapOf = boundedMaps<string, number>(1);
  const owner = {};
  mapOf(owner).set("a", 1);
  expect(mapOf(owner).get("a")).toBe(1);
  expect(mapOf({}).size).toBe(0);
});
