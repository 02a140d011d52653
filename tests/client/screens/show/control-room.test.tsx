import { expect, test } from "bun:test";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { AppContext } from "#client/base/page/context.ts";
import { useHealth } from "#client/screens/show/health/health-panel.tsx";
import { SideButton, SideColumn, useDrawer } from "#client/screens/show/health/side-column.tsx";
import { findOnStage } from "#client/screens/show/running/on-stage.ts";
import { ShowContext } from "#client/screens/show/running/show-context.ts";
import { useArming } from "#client/screens/show/running/use-arming.ts";
import { Stage } from "#client/screens/show/stage/stage.tsx";
import type { HealthView, Pace } from "#src/operate/health/schemas.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { buildEvent, buildPage, buildPlan, buildSession } from "#tests/client/events/action-states.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const POLL_EVERY_MS = 10;
const SHOWN_WITHIN_MS = 5_000;

afterFile(openDom());

let root: Root;
let page: HTMLElement;
/** The paths that the page has asked for. */
let asked: string[];
afterTest(async () => {
  // What was asked for is answered before the page goes.
  await act(() => Bun.sleep(POLL_EVERY_MS));
  act(() => root.unmount());
  page.remove();
});

const fromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
/** A show whose first action waits for its result while the second one is open, and should have closed 4 s ago. */
const events = (): EventView[] => [
  buildEvent({
    id: 1,
    state: "closed",
    closedAt: fromNow(-9),
    callsCount: 10,
    pool: poolOf(5_000, 1_000),
    plan: buildPlan(),
  }),
  buildEvent({ id: 2, plan: buildPlan({ nextTransition: "close_event", dueAt: fromNow(-4.5) }) }),
];

const money = { true: 30, trueCents: 3_000, false: 10, falseCents: 1_000 };
function paceOf(eventId: number): Pace {
  const side = { late: 30, lateCents: 3_000, total: 50, totalCents: 5_000, share: 0.6, tooFew: false };
  const sides: NonNullable<Pace["late"]>["sides"] = [
    { ...side, side: "true", alarm: true },
    { ...side, side: "false", alarm: false },
  ];
  const late = { sides, ...side, alarm: true, usualShare: 0.06, alarmShare: 0.3 };
  return {
    eventId,
    callsCount: 10,
    perSecond: [0, 2, 8],
    stepSeconds: 1,
    arrivals: [{ fromSeconds: 1, calls: 8, ...money }],
    late: eventId === 1 ? late : null,
  };
}
const health = (eventId: number): HealthView => ({
  parts: {
    database: { state: "slow", answerMs: 812 },
    redis: { state: "ok", answerMs: 1 },
    queues: { state: "ok", waiting: 0, failed: 0, working: true },
    feed: { state: "ok", behindMs: 0 },
  },
  sockets: { count: 3, slow: 0, slowestMs: 40, complete: true },
  door: { held: 0 },
  pace: paceOf(eventId),
});

function answerTo(path: string): Response {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const meta = { serverTime: fromNow(0) };
  if (pathname.endsWith("/health"))
    return Response.json({ health: health(Number(searchParams.get("event_id"))), meta });
  return Response.json(null, { status: 404 });
}

function open(): void {
  asked = [];
  const send = (path: string) => {
    asked.push(path);
    return Promise.resolve(answerTo(path));
  };
  const api = createApi({ inProcess: false, carry: overHttp({ csrfToken: "", send }) });
  const given = events();
  const loaded = { found: null, waves: null };
  const router = createMemoryRouter(
    [{ id: "room", path: "/", element: <Room events={given} />, loader: () => loaded }],
    { hydrationData: { loaderData: { room: loaded } } },
  );
  page = document.body.appendChild(document.createElement("div"));
  root = createRoot(page);
  act(() =>
    root.render(
      <AppContext value={{ page: buildPage(), api }}>
        <RouterProvider router={router} />
      </AppContext>,
    ),
  );
}

const busy = new Set<string>();

/** The control room with these events: its stage and its right column. */
function Room({ events: given }: { events: readonly EventView[] }) {
  const session = buildSession();
  const onStage = findOnStage(given);
  const show = {
    session,
    events: given,
    audit: [],
    fetchedAt: fromNow(0),
    renderedAt: fromNow(0),
    planned: new Map(),
    outlook: null,
    onStage,
    onAir: onStage,
    chosen: false,
    acting: {
      busy,
      refusal: null,
      isUnanswered: false,
      answersAgain: false,
      act: () => Promise.resolve(true),
    },
    arming: useArming({ session, events: given, busy }, onStage),
    earlyUndo: { wantedId: null, lateId: null, want: () => undefined },
    hosting: { others: [], nameOf: () => "" },
  };
  return (
    <ShowContext value={show}>
      <Columns />
    </ShowContext>
  );
}

function Columns() {
  const watched = useHealth();
  const drawer = useDrawer();
  return (
    <>
      <SideButton health={watched} drawer={drawer} waiting={null} />
      <Stage pace={watched.view?.pace ?? null} />
      <SideColumn health={watched} drawer={drawer} waiting={null} />
    </>
  );
}

function one(selector: string): HTMLElement {
  const found = page.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`The page has no ${selector}.`);
  return found;
}

/** Waits until a part of the page has a text. Whatever changes meanwhile is within act(), at whose end React renders. */
async function shows(selector: string, text: string): Promise<void> {
  const giveUpAt = performance.now() + SHOWN_WITHIN_MS;
  while (page.querySelector(selector)?.textContent.includes(text) !== true) {
    if (performance.now() > giveUpAt)
      throw new Error(`${selector} does not show ${text}: ${one(selector).textContent}`);
    await act(() => Bun.sleep(POLL_EVERY_MS));
  }
}

const LATE = "60% of the money on Yes, $30, came in the last second. Usual in this session: 6%.";

test("the alarm of late money is shown where a result is armed, also while the next action is open", async () => {
  open();
  await shows(".side-col", "Calls on 2");
  expect(asked).toContainEqual(expect.stringMatching(/\/health\?event_id=2$/));
  expect(one(".slot").textContent).not.toContain("came in the last second");
  act(() => one('.tray button[aria-label^="Yes: 1."]').click());
  expect(one(".armed").textContent).toContain("Resolve 1 as Yes?");
  await shows(".slot", LATE);
  expect(asked).toContainEqual(expect.stringMatching(/\/health\?event_id=1$/));
  act(() => one('.armed [data-key="Escape"]').click());
  await shows(".side-col", "Calls on 2");
  expect(one(".slot").textContent).not.toContain("came in the last second");
});

test("the right column says what is late and slow, and has its drawings as tables", async () => {
  open();
  await shows(".side-col", "Calls on 2");
  const texts = (selector: string) => [...page.querySelectorAll(selector)].map((each) => each.textContent);
  expect(texts('[aria-label="Next"] li')).toEqual([expect.stringMatching(/^Close 2 .*late [4-9] s$/)]);
  expect(texts('.readings[aria-label="Health"] li')).toEqual([
    "Postgres slow812 ms",
    "Redis works1 ms",
    "Queues works0 waiting",
    "Feed worksup to date",
    expect.stringMatching(/^Timers lateClose 2 late [4-9] s$/),
    "Slowest socket works40 ms",
  ]);
  expect(texts("caption")).toEqual(["Calls a second, the last minute", "Money by the time before the close"]);
  expect(texts("tbody tr")).toEqual(["0 to 3 s10", "1 to 0 s8$30.00$10.00"]);
});
