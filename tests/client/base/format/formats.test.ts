import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { formatCount } from "#client/base/format/count.ts";
import { durationText } from "#client/base/format/countdown.ts";
import { fromFieldTime, toFieldTime } from "#client/base/format/field-time.ts";
import {
  formatChange,
  formatMoney,
  formatShare,
  formatPerDollar,
  formatShortMoney,
} from "#client/base/format/money.ts";
import {
  formatClock,
  formatClockMs,
  formatDayTime,
  formatDate,
  formatMoment,
  formatTime,
  isTimeZone,
  setOwnZone,
} from "#client/base/format/time-format.ts";

test("money is formatted as Intl does, without the time that its first formatter takes a phone", () => {
  const intl = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
      expect(formatMoney(cents)).toBe(intl.format(cents / 100));
      expect(formatCount(cents)).toBe(cents.toLocaleString("en-US"));
    }),
  );
});

test("money that was gained has a plus sign, zero has none, and without cents it is short", () => {
  expect([712, -500, 0].map(formatChange)).toEqual(["+$7.12", "-$5.00", "$0.00"]);
  expect([64_800, 184, -300].map(formatShortMoney)).toEqual(["$648", "$1.84", "-$3"]);
});

test("shares are percentages, what each dollar has won is an amount with its sign, and a dash says that there is none", () => {
  expect([formatShare(0.586), formatShare(0.745, { digits: 0 }), formatShare(null)]).toEqual([
    "58.6%",
    "75%",
    "–",
  ]);
  expect([formatPerDollar(0.091), formatPerDollar(-0.2), formatPerDollar(null)]).toEqual([
    "+$0.09",
    "-$0.20",
    "–",
  ]);
});

/** What a computer in this zone says about a time: how many minutes UTC is ahead of it. */
function offsetMinutes(at: string, zone: string): number {
  const milliseconds = Date.parse(at) % 1_000;
  const here = Date.parse(`${formatDate(at, zone)}T${formatDayTime(at, zone)}Z`) + milliseconds;
  return (Date.parse(at) - here) / 60_000;
}

test("times are formatted in the viewer's time zone", () => {
  const at = "2026-11-21T23:04:30.000Z";
  expect(formatMoment("2026-11-21T08:04:30.000Z", "UTC")).toBe("21 Nov 8:04 AM");
  expect(formatMoment(at, "UTC")).toBe("21 Nov 11:04 PM");
  expect(formatMoment(at, "Europe/Berlin")).toBe("22 Nov 12:04 AM");
  expect(formatDate(at, "UTC")).toBe("2026-11-21");
  expect(formatDate(at, "Asia/Tokyo")).toBe("2026-11-22");
  expect(formatTime(at, "America/New_York")).toBe("6:04 PM");
  expect(formatClock(at, "America/New_York")).toBe("6:04:30 PM");
  const precise = "2026-11-21T23:04:30.042Z";
  expect(formatClockMs(precise, "America/New_York")).toBe("6:04:30.042 PM");
  // Cut off and not rounded.
  expect(formatClockMs("2026-11-21T23:04:30.982Z", "UTC", 1)).toBe("11:04:30.9 PM");
  expect(formatDayTime(at, "America/New_York")).toBe("18:04:30");
});

test.each(["Europe/Berlin", "America/St_Johns", "Asia/Kolkata", "Pacific/Chatham"])(
  "times of %s, the browser's own zone, are formatted without Intl to the same texts",
  (zone) => {
    const hours = Array.from({ length: 1_464 }, (_, index) => 6 * index).map((hour) =>
      new Date(Date.UTC(2026, 0, 1, hour, 29, 31, 382)).toISOString(),
    );
    const format = (at: string) => [formatDate(at, zone), formatMoment(at, zone), formatClockMs(at, zone)];
    const expected = hours.map(format);
    const offsets = new Map(hours.map((at) => [Date.parse(at), offsetMinutes(at, zone)]));
    const offset = spyOn(Date.prototype, "getTimezoneOffset").mockImplementation(function read(this: Date) {
      return offsets.get(this.getTime()) ?? Number.NaN;
    });
    setOwnZone(zone);
    expect(hours.map(format)).toEqual(expected);
    expect(offset).toHaveBeenCalled();
    setOwnZone("");
    offset.mockRestore();
  },
);

test("only known time zones are accepted", () => {
  expect(
    ["UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires"].filter((name) => !isTimeZone(name)),
  ).toEqual([]);
  expect(["", "Mars/Olympus", "<script>", "a".repeat(500)].filter(isTimeZone)).toEqual([]);
});

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
    for (const at of ["2026-03-29T00:59:00.000Z", "2026-03-29T01:00:00.000Z", "2026-10-25T03:00:30.000Z"])
      expect(fromFieldTime(toFieldTime(at, zone), zone)).toBe(at);
  }
  const none = ["", "soon", "2026-13-41T99:00"];
  expect(none.map((typed) => fromFieldTime(typed, "UTC"))).toEqual([null, null, null]);
});

test("how long something is open is said by its two largest units", () => {
  expect([5, 90, 120, 125, 600, 3_600, 12_000, 90_000, 187_200, 2_592_000].map(durationText)).toEqual([
    "5 s",
    "90 s",
    "120 s",
    "2 min 5 s",
    "10 min",
    "1 h",
    "3 h 20 min",
    "1 d 1 h",
    "2 d 4 h",
    "30 d",
  ]);
});
