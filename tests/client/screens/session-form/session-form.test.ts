import { expect, test } from "bun:test";
import { fromFieldTime, toFieldTime } from "#client/base/format/field-time.ts";
import { createSession } from "#client/screens/session-form/create-session.ts";
import { changeSession } from "#client/screens/session-form/edit-session-screen.tsx";
import { redirectOf, sendForm } from "#tests/client/base/api/send-form.ts";

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
const send = (
  action: typeof createSession | typeof changeSession,
  form: Record<string, string>,
  answer: () => Response,
) => sendForm(action, page, { fields: form, answer });

const sessionAnswer = () => Response.json({ session: { slug: "derby" } });

test("creating a session reads its start in the viewer's time zone and redirects to the Admin tab", async () => {
  const { outcome, requests } = await send(createSession, fields, sessionAnswer);
  const settings = {
    chat_approval: false,
    private: false,
    house_dollar: false,
    lead_seconds: 5,
    small_room: false,
    void_uncalled: false,
  };
  const session = { name: "Derby", description: "", starts_at: "2026-11-21T20:00:00.000Z", settings };
  expect(requests).toEqual([{ method: "POST", path: "/api/v1/sessions", body: { session } }]);
  expect(redirectOf(outcome)).toEqual([303, "/sessions/derby/admin"]);
});

test("a refused form keeps what was typed, with the errors by field", async () => {
  const body = {
    error: "Validation failed: Slug has already been taken",
    code: "invalid",
    errors: { slug: ["has already been taken"] },
  };
  const typed = { ...fields, slug: "derby", small_room: "1" };
  const { outcome } = await send(createSession, typed, () => Response.json(body, { status: 422 }));
  expect(outcome).toMatchObject({
    data: {
      refusal: body.error,
      errors: body.errors,
      fields: { slug: "derby", startsAt: { typed: "2026-11-21T21:00" }, leadSeconds: "5", smallRoom: true },
    },
    init: { status: 422 },
  });
});

test("an empty start removes the start, and the slug is not sent", async () => {
  const form = { ...fields, intent: "save", starts_at: "" };
  const { requests } = await send(changeSession, form, sessionAnswer);
  expect(requests).toMatchObject([
    { method: "PATCH", path: "/api/v1/sessions/derby", body: { session: { starts_at: null } } },
  ]);
  expect(JSON.stringify(requests)).not.toContain("slug");
});

test("deleting a session redirects to the list; a refusal is shown on the page", async () => {
  const deleted = await send(changeSession, { intent: "delete" }, () => new Response(null, { status: 204 }));
  expect(deleted.requests).toMatchObject([{ method: "DELETE", path: "/api/v1/sessions/derby" }]);
  expect(redirectOf(deleted.outcome)).toEqual([303, "/sessions"]);
  const body = { error: "Cannot delete record because dependent events exist", code: "has_dependents" };
  const refused = await send(changeSession, { intent: "delete" }, () => Response.json(body, { status: 422 }));
  expect(refused.outcome).toMatchObject({ data: { refusal: body.error }, init: { status: 422 } });
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
