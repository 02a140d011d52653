import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();
const server = createServer(deps);

/** What a page says about the show: the question, the number, the state and the pool. */
async function readPage(path: string) {
  const request = new Request(`http://localhost:3000${path}`, { headers: { accept: "text/html" } });
  const html = await (await server.handle(request)).text();
  const app = html.slice(html.indexOf('id="root"'), html.indexOf('id="loaded"'));
  return {
    question: /<h1[^>]*>([^<]*)</.exec(app)?.[1],
    number: /class="card-meta"><span>([^<]*)</.exec(app)?.[1],
    state: /class="pill[^"]*">.*?<\/svg>(?:<span>)?([^<]*)</s.exec(app)?.[1],
    pool: /class="bar" role="img" aria-label="([^"]*)"/.exec(app)?.[1],
    clock: /class="(clock[^"]*)"/.exec(app)?.[1],
  };
}

test("through a show the big screen says what the Action page says", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const first = await buildEvent(deps, "visible", { sessionId, title: "Goal?", durationSeconds: 600 });
  const actor = null;
  const steps: [name: string, step: () => Promise<unknown>][] = [
    ["visible", async () => undefined],
    ["open", () => openEvent(deps, { eventId: first.id, actor })],
    ["called", async () => buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: first.id })],
    ["paused", () => pauseSession(deps, { sessionId, actor })],
    ["resumed", () => resumeSession(deps, { sessionId, actor })],
    [
      "called against",
      async () => buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: first.id, side: "false" }),
    ],
    ["closed", () => closeEvent(deps, { eventId: first.id, actor })],
    ["resolved", () => resolveAndPay(deps, { eventId: first.id, actor, result: "true" })],
    ["corrected", () => resolveEvent(deps, { eventId: first.id, actor, result: "false", reason: "Offside" })],
    ["next", () => buildEvent(deps, "open", { sessionId, title: "Corner?", durationSeconds: 600 })],
  ];
  const seen = new Set<string>();
  for (const [name, step] of steps) {
    await step();
    const action = await readPage(`/sessions/${slug}`);
    const stage = await readPage(`/sessions/${slug}/stage`);
    // The result has no clock on either.
    const { clock, ...told } = stage;
    expect({ name, ...told }).toEqual({
      name,
      question: action.question,
      number: action.number,
      state: action.state,
      pool: action.pool,
    });
    expect([name, clock]).toEqual([name, action.clock]);
    expect([name, told.question === undefined, told.pool === undefined]).toEqual([name, false, false]);
    seen.add(`${told.question} ${told.state} ${told.pool}`);
  }
  expect(seen.size).toBeGreaterThan(6);
});
