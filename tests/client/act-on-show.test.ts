import { describe, expect, test } from "bun:test";
import { RouterContextProvider } from "react-router";
import { createApi } from "#client/api.ts";
import { apiContext } from "#client/context.ts";
import { actOnShow } from "#client/show/act-on-show.ts";

const about = { event_id: "12" };
const page = "http://localhost/sessions/derby/admin?event=12";

/** Sends a form of the Admin tab while the API answers so; tells what the API was asked. */
async function send(fields: Record<string, string>, answer = () => Response.json({})) {
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
  const request = new Request(page, { method: "POST", body: new URLSearchParams(fields) });
  const args = {
    request,
    context,
    params: { slug: "derby" },
    url: new URL(page),
    pattern: "/sessions/:slug/admin",
  };
  return { outcome: await actOnShow(args).catch((error: unknown) => error), asked };
}

describe("the Admin tab asks the API once for", () => {
  const put = (path: string, event?: object) => ({
    method: "PUT",
    path: `/api/v1/${path}`,
    body: event === undefined ? undefined : { event },
  });
  const state = (event: object) => ({ method: "PATCH", path: "/api/v1/events/12/state", body: { event } });
  test.each([
    [{ intent: "start" }, put("sessions/derby/start")],
    [{ intent: "deactivate" }, put("sessions/derby/deactivate")],
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
  ])("a form that holds %o", async (fields, wanted) => {
    const { asked } = await send(fields);
    expect(asked).toEqual([wanted]);
  });
});

test("a new action, at once or at the end", async () => {
  const fields = {
    session_id: "3",
    title: "Who?",
    true_label: "",
    false_label: "No",
    duration_seconds: "15",
  };
  const event = { session_id: 3, title: "Who?", false_label: "No", duration_seconds: 15 };
  const ask = await send({ ...fields, intent: "ask" });
  expect(ask.asked).toEqual([
    { method: "POST", path: "/api/v1/events", body: { event: { ...event, ask: true } } },
  ]);
  const add = await send({ ...fields, intent: "add" });
  expect(add.asked).toMatchObject([{ body: { event } }]);
});

test("another order", async () => {
  const { asked } = await send({ intent: "order", order: "9 7" });
  expect(asked).toEqual([
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

test("a result from so many seconds before the close on, or from a moment in the reader's zone", async () => {
  const fields = { intent: "resolve", ...about, result: "true", time_zone: "Europe/Berlin" };
  const before = { ...fields, effective: "10", closed_at: "2026-11-21T20:14:30.000Z" };
  expect((await send(before)).asked).toMatchObject([
    { body: { event: { effective_at: "2026-11-21T20:14:20.000Z" } } },
  ]);
  const exact = { ...fields, effective: "exact", effective_at: "2026-11-21T21:14:05" };
  expect((await send(exact)).asked).toMatchObject([
    { body: { event: { effective_at: "2026-11-21T20:14:05.000Z" } } },
  ]);
});

test("a change of an event, without the start that was not touched", async () => {
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
  expect(same.asked).toEqual([
    { method: "PATCH", path: "/api/v1/events/12", body: { event: { title: "New", version: 4 } } },
  ]);
  const moved = await send({ ...fields, opens_at: "2026-11-21T20:15:00" });
  expect(moved.asked).toMatchObject([{ body: { event: { opens_at: "2026-11-21T20:15:00.000Z" } } }]);
});

test("what is done leads back to the page as it stood", async () => {
  const { outcome } = await send({ intent: "pause" });
  expect(outcome).toBeInstanceOf(Response);
  if (!(outcome instanceof Response)) return;
  expect([outcome.status, outcome.headers.get("location")]).toEqual([303, "/sessions/derby/admin?event=12"]);
});

test("a refusal is shown on the page, with its status; signed out is none", async () => {
  const body = { error: 'Validation failed: State cannot transition via "Pause"', code: "invalid" };
  const refused = await send({ intent: "pause" }, () => Response.json(body, { status: 422 }));
  expect(refused.outcome).toMatchObject({ data: { refusal: body.error }, init: { status: 422 } });
  const out = await send({ intent: "pause" }, () => Response.json(null, { status: 401 }));
  expect(out.outcome).toMatchObject({ status: 401 });
});
