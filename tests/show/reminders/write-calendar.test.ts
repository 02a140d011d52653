import { expect, test } from "bun:test";
import { writeCalendar } from "#src/show/reminders/reminder.ts";

const planned = {
  id: 7,
  slug: "quiz-night",
  name: "Quiz night",
  description: "",
  version: 3,
  startsAt: new Date("2027-01-08T20:00:00.000Z"),
  updatedAt: new Date("2027-01-01T10:00:00.123Z"),
};
const env = { publicUrl: "https://play.example.test" };

/** The content lines of a file, unfolded as a calendar reads them. */
const linesOf = (file: string) => file.replaceAll("\r\n ", "").split("\r\n");

test("a calendar file has the start, an alarm and an identity that stays", () => {
  expect(linesOf(writeCalendar(env, planned))).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Called It//Sessions//EN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    "UID:session-7@play.example.test",
    "DTSTAMP:20270101T100000Z",
    "SEQUENCE:3",
    "DTSTART:20270108T200000Z",
    "DURATION:PT1H",
    "SUMMARY:Quiz night",
    "DESCRIPTION:https://play.example.test/sessions/quiz-night",
    "URL:https://play.example.test/sessions/quiz-night",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Quiz night",
    "TRIGGER:-PT10M",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("what a host writes ends no line, adds no property, and comes back as it was", () => {
  const name = String.raw`Pub; quiz, no. 8\n`;
  const description = "First\r\nATTENDEE:mailto:ana@example.test\rEND:VEVENT\nlast";
  const lines = linesOf(writeCalendar(env, { ...planned, name, description }));
  expect(lines).toContain(String.raw`SUMMARY:Pub\; quiz\, no. 8\\n`);
  expect(lines.filter((line) => line.startsWith("ATTENDEE"))).toEqual([]);
  expect(lines.filter((line) => line === "END:VEVENT")).toHaveLength(1);
  expect(lines).toContain(
    String.raw`DESCRIPTION:First\nATTENDEE:mailto:ana@example.test\nEND:VEVENT\nlast\n\nhttps://play.example.test/sessions/quiz-night`,
  );
});

test("no line is longer than 75 bytes, and none is broken within a character", () => {
  const description = "🎉é".repeat(200);
  const file = writeCalendar(env, { ...planned, description });
  for (const line of file.split("\r\n")) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toContain("\uFFFD");
  }
  expect(linesOf(file).join("\n")).toContain(description);
});
