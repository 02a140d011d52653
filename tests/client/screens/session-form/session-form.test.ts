import { expect, test } from "bun:test";
import { fromFieldTime, toFieldTime } from "#client/base/format/field-time.ts";
import { changeSession } from "#client/screens/session-form/edit-session-screen.tsx";
import { sendForm } from "#tests/client/base/api/send-form.ts";

const fields = {
  name: "Derby",
  description: "",
  slug: "",
  starts_at: "2026-11-21T21:00",
  time_zone: "Europe/Berlin",
  lead_seconds: "5",
  settlement_delay_seconds: "",
};

const page = { path: "/sessions/derby/edit", pattern: "/sessions/:slug/edit", params: { slug: "derby" } };
test("an empty start removes the start, and the slug is not sent", async () => {
  const form = { ...fields, intent: "save", starts_at: "" };
  const answer = () => Response.json({ session: { slug: "derby" } });
  const { requests } = await sendForm(changeSession, page, { fields: form, answer });
  expect(requests).toMatchObject([
    { method: "PATCH", path: "/api/v1/sessions/derby", body: { session: { starts_at: null } } },
  ]);
  expect(JSON.stringify(requests)).not.toContain("slug");
});

test("a time field reads back the time it was given, across changes of daylight saving time too", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]) {
    for (const at of [
      "2026-11-21T20:14:00.000Z",
      "2026-03-29T00:59:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-10-25T03:00:30.000Z",
      "2026-07-01T12:00:00.000Z",
    ]) {
      expect(fromFieldTime(toFieldTime(at, zone), zone)).toBe(at);
    }
  }
  expect(toFieldTime("2026-11-21T20:14:30.000Z", "Europe/Berlin")).toBe("2026-11-21T21:14:30");
  expect([
    fromFieldTime("", "UTC"),
    fromFieldTime("soon", "UTC"),
    fromFieldTime("2026-13-41T99:00", "UTC"),
  ]).toEqual([null, null, null]);
});
