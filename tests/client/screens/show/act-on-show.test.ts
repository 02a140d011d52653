import { describe, expect, test } from "bun:test";
import { actOnShow } from "#client/screens/show/show-screen.tsx";
import { redirectOf, sendForm } from "#tests/client/base/api/send-form.ts";

const about = { event_id: "12" };
const page = {
  path: "/sessions/derby/admin?event=12",
  pattern: "/sessions/:slug/admin",
  params: { slug: "derby" },
};

const send = (fields: Record<string, string>, answer = () => Response.json({})) =>
  sendForm(actOnShow, page, { fields, answer });

describe("the Admin tab sends one request for", () => {
  const put = (path: string, event?: object) => ({
    method: "PUT",
    path: `/api/v1/${path}`,
    body: event === undefined ? undefined : { event },
  });
  const state = (event: object) => ({ method: "PATCH", path: "/api/v1/events/12/state", body: { event } });
  test.each([
    [
      { intent: "start", in_seconds: "10" },
      { ...put("sessions/derby/start"), body: { session: { in_seconds: 10, activate: false } } },
    ],
    [
      { intent: "start", in_seconds: "0", activate: "1" },
      { ...put("sessions/derby/start"), body: { session: { in_seconds: 0, activate: true } } },
    ],
    [{ intent: "deactivate" }, put("sessions/derby/deactivate")],
    [
      { intent: "leaders", shown: "1" },
      { ...put("sessions/derby/stage_leaders"), body: { leaders: { shown: true } } },
    ],
    [
      { intent: "leaders", shown: "" },
      { ...put("sessions/derby/stage_leaders"), body: { leaders: { shown: false } } },
    ],
    [{ intent: "advance", ...about }, put("events/12/advance", {})],
    [{ intent: "skip", ...about, reason: " Rain. " }, put("events/12/skip", { reason: "Rain." })],
    [{ intent: "delay", ...about, seconds: "-10" }, put("events/12/delay", { seconds: -10 })],
    [{ intent: "publish_event", ...about }, state({ state_event: "publish_event" })],
    [{ intent: "withdraw", ...about }, state({ state_event: "withdraw" })],
    [{ intent: "reset", ...about, reason: "Wrong." }, state({ state_event: "reset", reason: "Wrong." })],
    [{ intent: "resolve", ...about, result: "void" }, state({ state_event: "resolve", result: "void" })],
    [
      { intent: "destroy", ...about },
      { method: "DELETE", path: "/api/v1/events/12", body: undefined },
    ],
  ])("a form with %o", async (fields, expected) => {
    const { requests } = await send(fields);
    expect(requests).toEqual([expected]);
  });
});

test("a new event is opened at once or added to the end", async () => {
  const fields = {
    session_id: "3",
    title: "Who?",
    true_label: "",
    false_label: "No",
    duration_seconds: "15",
  };
  const event = { session_id: 3, title: "Who?", false_label: "No", duration_seconds: 15 };
  const ask = await send({ ...fields, intent: "ask" });
  expect(ask.requests).toEqual([
    { method: "POST", path: "/api/v1/events", body: { event: { ...event, ask: true } } },
  ]);
  const add = await send({ ...fields, intent: "add" });
  expect(add.requests).toMatchObject([{ body: { event } }]);
});

test("a new order is sent with positions", async () => {
  const { requests } = await send({ intent: "order", order: "9 7" });
  expect(requests).toEqual([
    {
      method: "POST",
      path: "/api/v1/sessions/derby/events/batch_update_positions",
      body: {
        events: [
          { id: 9, position: 1 },
          { id: 7, position: 2 },
        ],
      },
    },
  ]);
});

test("a result is effective from some seconds before the close, or from a moment in the viewer's time zone", async () => {
  const fields = { intent: "resolve", ...about, result: "true", time_zone: "Europe/Berlin" };
  const before = { ...fields, effective: "10", closed_at: "2026-11-21T20:14:30.000Z" };
  expect((await send(before)).requests).toMatchObject([
    { body: { event: { effective_at: "2026-11-21T20:14:20.000Z" } } },
  ]);
  const exact = { ...fields, effective: "exact", effective_at: "2026-11-21T21:14:05" };
  expect((await send(exact)).requests).toMatchObject([
    { body: { event: { effective_at: "2026-11-21T20:14:05.000Z" } } },
  ]);
});

test("without a choice the effective moment is left out, so that it stays; with none it is null", async () => {
  const fields = { intent: "resolve", ...about, result: "false" };
  const event = { state_event: "resolve", result: "false" };
  expect((await send({ ...fields, effective: "" })).requests[0]?.body).toEqual({ event });
  expect((await send({ ...fields, effective: "all" })).requests[0]?.body).toEqual({
    event: { ...event, effective_at: null },
  });
});

test("an event's form sends its start mode only if it was changed, and its wait", async () => {
  const fields = { intent: "update", ...about, title: "New", version: "4", start_mode_before: "by_hand" };
  const event = { title: "New", version: 4 };
  const same = await send({ ...fields, start_mode: "by_hand" });
  expect(same.requests).toEqual([{ method: "PATCH", path: "/api/v1/events/12", body: { event } }]);
  const changed = await send({ ...fields, start_mode: "after_result", offset_seconds: "12" });
  expect(changed.requests).toMatchObject([
    { body: { event: { ...event, start_mode: "after_result", offset_seconds: 12 } } },
  ]);
});

test("an event's form sends its start only if it was changed", async () => {
  const fields = {
    intent: "update",
    ...about,
    title: "New",
    version: "4",
    time_zone: "UTC",
    opens_at: "2026-11-21T20:14:30",
    opens_at_before: "2026-11-21T20:14:30",
  };
  const same = await send(fields);
  expect(same.requests).toEqual([
    { method: "PATCH", path: "/api/v1/events/12", body: { event: { title: "New", version: 4 } } },
  ]);
  const moved = await send({ ...fields, opens_at: "2026-11-21T20:15:00" });
  expect(moved.requests).toMatchObject([{ body: { event: { opens_at: "2026-11-21T20:15:00.000Z" } } }]);
});

test("after an act the action redirects to the same page", async () => {
  const { outcome } = await send({ intent: "pause" });
  expect(redirectOf(outcome)).toEqual([303, "/sessions/derby/admin?event=12"]);
});

test("a refusal is shown on the page with its status; 401 is thrown", async () => {
  const body = { error: 'Validation failed: State cannot transition via "Pause"', code: "invalid" };
  const refused = await send({ intent: "pause" }, () => Response.json(body, { status: 422 }));
  expect(refused.outcome).toMatchObject({ data: { refusal: body.error }, init: { status: 422 } });
  const out = await send({ intent: "pause" }, () => Response.json(null, { status: 401 }));
  expect(out.outcome).toMatchObject({ status: 401 });
});
