import { expect, test } from "bun:test";
import { fromFieldTime, toFieldTime } from "#client/base/format/field-time.ts";

/** What the clocks of a zone show at the moment that a typed time means. */
const shown = (typed: string, zone: string) => toFieldTime(fromFieldTime(typed, zone) ?? "", zone);

test.each([
  ["2027-03-14T02:30", "America/New_York", "2027-03-14T03:30"],
  ["2027-03-28T02:00", "Europe/Berlin", "2027-03-28T03:00"],
  ["2027-03-28T02:59:59", "Europe/Berlin", "2027-03-28T03:59:59"],
  ["2026-09-06T00:30", "America/Santiago", "2026-09-06T01:30"],
  ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-04T02:45"],
  // A whole day that Samoa left out.
  ["2011-12-30T12:00", "Pacific/Apia", "2011-12-31T12:00"],
])("%s in %s, which the clocks skip, means the later moment", (typed, zone, meant) => {
  expect(shown(typed, zone)).toBe(meant);
});

test("a time that exists twice is the first of the two, and all others are themselves", () => {
  expect(fromFieldTime("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Asia/Kathmandu"]) {
    for (let hour = 0; hour < 24; hour += 1) {
      const typed = `2026-11-22T${String(hour).padStart(2, "0")}:30`;
      expect(shown(typed, zone)).toBe(typed);
    }
  }
});
