import { expect, test } from "bun:test";
import { RouterContextProvider } from "react-router";
import { createApi } from "#client/api.ts";
import { apiContext } from "#client/context.ts";
import { changeSession } from "#client/sessions/change-session.ts";
import { createSession } from "#client/sessions/create-session.ts";
import { fromFieldTime, toFieldTime } from "#client/ui/time-format.ts";

const fields = {
  name: "Derby",
  description: "",
  slug: "",
  starts_at: "2026-11-21T21:00",
  time_zone: "Europe/Berlin",
  lead_seconds: "5",
  settlement_delay_seconds: "",
};

type Action = typeof createSession | typeof changeSession;

async function send(action: Action, form: Record<string, string>, answer: () => Response) {
  const asked: { method: string; path: string; body: unknown }[] = [];
  const context = new RouterContextProvider();
  const api = createApi({
    inProcess: true,
    csrfToken: "token",
    send: (path, { method = "", body }) => {
      asked.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : undefined });
      return Promise.resolve(answer());
    },
  });
  context.set(apiContext, api);
  const page = "http://localhost/sessions/derby/edit";
  const request = new Request(page, { method: "POST", body: new URLSearchParams(form) });
  const args = {
    request,
    context,
    params: { id: "derby" },
    url: new URL(page),
    pattern: "/sessions/:id/edit",
  };
  return { outcome: await action(args).catch((error: unknown) => error), asked };
}

const made = () => Response.json({ session: { slug: "derby" } });
const locationOf = (outcome: unknown) =>
  outcome instanceof Response ? [outcome.status, outcome.headers.get("location")] : outcome;

test("a session is made with its start in the reader's zone, and run from there", async () => {
  const { outcome, asked } = await send(createSession, fields, made);
  const settings = { lead_seconds: 5, small_room: false };
  const session = { name: "Derby", description: "", starts_at: "2026-11-21T20:00:00.000Z", settings };
  expect(asked).toEqual([{ method: "POST", path: "/api/v1/sessions", body: { session } }]);
  expect(locationOf(outcome)).toEqual([303, "/sessions/derby/admin"]);
});

test("a refused form comes back as it was typed, with what is wrong by field", async () => {
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

test("an emptied start is no start, and the slug is not asked to change", async () => {
  const form = { ...fields, intent: "save", starts_at: "" };
  const { asked } = await send(changeSession, form, made);
  expect(asked).toMatchObject([
    { method: "PATCH", path: "/api/v1/sessions/derby", body: { session: { starts_at: null } } },
  ]);
  expect(JSON.stringify(asked)).not.toContain("slug");
});

test("a session is deleted and the list follows; where it may not be, the page says so", async () => {
  const gone = await send(changeSession, { intent: "delete" }, () => new Response(null, { status: 204 }));
  expect(gone.asked).toMatchObject([{ method: "DELETE", path: "/api/v1/sessions/derby" }]);
  expect(locationOf(gone.outcome)).toEqual([303, "/sessions"]);
  const body = { error: "Cannot delete record because dependent events exist", code: "has_dependents" };
  const refused = await send(changeSession, { intent: "delete" }, () => Response.json(body, { status: 422 }));
  expect(refused.outcome).toMatchObject({ data: { refusal: body.error }, init: { status: 422 } });
});

test("a field for date and time reads in a zone what it was given in it, over changes of the clock too", () => {
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
