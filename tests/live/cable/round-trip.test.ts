import { expect, test } from "bun:test";
import { slowestOf } from "#src/live/cable/loads.ts";
import { RoundTrip } from "#src/live/cable/round-trip.ts";

test("a round trip is the time from a ping to its answer", () => {
  const trip = new RoundTrip();
  expect(trip.latestMs(0)).toBeNull();
  trip.sent(1_000);
  trip.answered(1_040);
  expect(trip.latestMs(9_000)).toBe(40);
});

test("a client that owes an answer is as slow as it has owed it", () => {
  const trip = new RoundTrip();
  trip.sent(1_000);
  trip.answered(1_040);
  trip.sent(2_000);
  expect(trip.latestMs(2_010)).toBe(40);
  expect(trip.latestMs(2_500)).toBe(500);
});

test("a later ping does not hide that an older one has no answer", () => {
  const trip = new RoundTrip();
  trip.sent(1_000);
  trip.sent(16_000);
  expect(trip.latestMs(16_000)).toBe(15_000);
});

test("an answer that no ping has asked for says nothing", () => {
  const trip = new RoundTrip();
  trip.answered(1_000);
  expect(trip.latestMs(2_000)).toBeNull();
});

test("the slowest of many sockets counts; those that were not asked do not", () => {
  expect(slowestOf([null, 12, 40, null])).toBe(40);
  expect(slowestOf([null])).toBeNull();
});
