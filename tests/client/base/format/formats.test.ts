import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { formatCount } from "#client/base/format/count.ts";
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
  formatDate,
  formatMoment,
  isTimeZone,
  setOwnZone,
} from "#client/base/format/time-format.ts";

describe("money", () => {
  test("has the dollar sign, two decimals, and a comma between thousands", () => {
    expect([0, 5, 123, 123_450, -123_450, 100_000_000_00].map(formatMoney)).toEqual([
      "$0.00",
      "$0.05",
      "$1.23",
      "$1,234.50",
      "-$1,234.50",
      "$100,000,000.00",
    ]);
  });

  test("reads back as the same amount", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        expect(Number(formatMoney(cents).replaceAll(/[$,.]/g, ""))).toBe(cents);
      }),
    );
  });

  test("is formatted as Intl does, without the time that its first formatter takes a phone", () => {
    const intl = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
        expect(formatMoney(cents)).toBe(intl.format(cents / 100));
        expect(formatCount(cents)).toBe(cents.toLocaleString("en-US"));
      }),
    );
  });

  test("that was gained has a plus sign, zero has none", () => {
    expect([712, -500, 0].map(formatChange)).toEqual(["+$7.12", "-$5.00", "$0.00"]);
  });

  test("is short if it has no cents", () => {
    expect([64_800, 184, -300].map(formatShortMoney)).toEqual(["$648", "$1.84", "-$3"]);
  });
});

test("shares are percentages, or a dash if there is none", () => {
  expect([formatShare(0.586), formatShare(0.745, { digits: 0 }), formatShare(null)]).toEqual([
    "58.6%",
    "75%",
    "–",
  ]);
});

test("what each dollar has won is an amount with its sign, or a dash if none was wagered", () => {
  expect([formatPerDollar(0.091), formatPerDollar(-0.2), formatPerDollar(null)]).toEqual([
    "+$0.09",
    "-$0.20",
    "–",
  ]);
});

/** What a computer in this zone says about a time: how many minutes UTC is ahead of it. */
function offsetMinutes(at: string, zone: string): number {
  const here = Date.parse(`${formatDate(at, zone)}T${formatClockMs(at, zone)}Z`);
  return (Date.parse(at) - here) / 60_000;
}

describe("times", () => {
  test("are formatted in the viewer's time zone", () => {
    const at = "2026-11-21T23:04:30.000Z";
    expect(formatMoment("2026-11-21T08:04:30.000Z", "UTC")).toBe("21 Nov 8:04 AM");
    expect(formatMoment(at, "UTC")).toBe("21 Nov 11:04 PM");
    expect(formatMoment(at, "Europe/Berlin")).toBe("22 Nov 12:04 AM");
    expect(formatDate(at, "UTC")).toBe("2026-11-21");
    expect(formatDate(at, "Asia/Tokyo")).toBe("2026-11-22");
    expect(formatClock(at, "America/New_York")).toBe("18:04:30");
    expect(formatClockMs("2026-11-21T23:04:30.042Z", "America/New_York")).toBe("18:04:30.042");
  });

  test("noon and midnight are 12", () => {
    expect(formatMoment("2026-01-02T12:00:00Z", "UTC")).toBe("2 Jan 12:00 PM");
    expect(formatMoment("2026-01-02T00:00:00Z", "UTC")).toBe("2 Jan 12:00 AM");
  });

  test.each(["Europe/Berlin", "America/St_Johns", "Asia/Kolkata", "Pacific/Chatham"])(
    "of %s, the browser's own zone, are formatted without Intl to the same texts",
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
});
