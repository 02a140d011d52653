import { expect, test } from "bun:test";
import { actOnShow } from "#client/screens/show/show-screen.tsx";
import { sendForm } from "#tests/client/base/api/send-form.ts";

const about = { event_id: "12" };
const page = {
  path: "/sessions/derby/admin?event=12",
  pattern: "/sessions/:slug/admin",
  params: { slug: "derby" },
};

const send = (fields: Record<string, string>, answer = () => Response.json({})) =>
  sendForm(actOnShow, page, { fields, answer });

// The journeys of hosts send the other acts.
test.each([
  [
    { intent: "start", in_seconds: "0", activate: "1" },
    ["sessions/derby/start", { session: { in_seconds: 0, activate: true } }],
  ],
  [
    { intent: "start", in_seconds: "10" },
    ["sessions/derby/start", { session: { in_seconds: 10, activate: false } }],
  ],
  [{ intent: "deactivate" }, ["sessions/derby/deactivate", undefined]],
  [{ intent: "leaders", shown: "1" }, ["sessions/derby/stage_leaders", { leaders: { shown: true } }]],
  [{ intent: "leaders", shown: "" }, ["sessions/derby/stage_leaders", { leaders: { shown: false } }]],
  [{ intent: "delay", ...about, seconds: "-10" }, ["events/12/delay", { event: { seconds: -10 } }]],
] as const)("the form of the Admin tab with %o is one request", async (fields, [path, body]) => {
  const { requests } = await send(fields);
  expect(requests).toEqual([{ method: "PUT", path: `/api/v1/${path}`, body }]);
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

test("a new action has its explanation and its note where they are filled in", async () => {
  const fields = { intent: "ask", session_id: "7", title: "Rain?", explanation: " ", host_note: "" };
  const event = { session_id: 7, title: "Rain?", ask: true };
  expect((await send(fields)).requests).toEqual([
    { method: "POST", path: "/api/v1/events", body: { event } },
  ]);
  const more = { explanation: "It did.", host_note: "Ask the pilot." };
  expect((await send({ ...fields, ...more })).requests).toMatchObject([
    { body: { event: { ...event, ...more } } },
  ]);
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
  expect((await send(fields)).requests).toEqual([
    { method: "PATCH", path: "/api/v1/events/12", body: { event: { title: "New", version: 4 } } },
  ]);
  const moved = await send({ ...fields, opens_at: "2026-11-21T20:15:00" });
  expect(moved.requests).toMatchObject([{ body: { event: { opens_at: "2026-11-21T20:15:00.000Z" } } }]);
});

test("a refusal is shown on the page with its status; 401 is thrown", async () => {
  const body = { error: 'Validation failed: State cannot transition via "Pause"', code: "invalid" };
  const refused = await send({ intent: "pause" }, () => Response.json(body, { status: 422 }));
  expect(refused.outcome).toMatchObject({ data: { refusal: body.error }, init: { status: 422 } });
  const out = await send({ intent: "pause" }, () => Response.json(null, { status: 401 }));
  expect(out.outcome).toMatchObject({ status: 401 });
});
