import { expect, test } from "bun:test";
import type { FetchedAction } from "#client/events/load-action.ts";
import type { LeadersAnswer } from "#src/play/leaderboard/schemas.ts";
import { createServer } from "#src/server.ts";
import type { EventsAnswer } from "#src/show/events/schemas.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import type { Credentials } from "./read-page.ts";

const deps = await testDeps();
const server = createServer(deps);

const session = await buildRunningSession(deps);
const [ana, bob] = [await buildPlayer(deps), await buildPlayer(deps)];
const inSession = { sessionId: session.id, durationSeconds: 600 };
const paid = await buildEvent(deps, "open", inSession);
for (const side of ["true", "false"] as const) {
  await buildCall(deps, { userId: side === "true" ? ana.id : bob.id, eventId: paid.id, side });
}
await resolveAndPay(deps, { eventId: paid.id, actor: null, result: "true" });
const called = await buildEvent(deps, "open", inSession);
await buildCall(deps, { userId: ana.id, eventId: called.id });
const uncalled = await buildEvent(deps, "open", inSession);

const ofAna = await signInDirectly(deps, ana);
const ofBob = await signInDirectly(deps, bob);

type Answer = Pick<FetchedAction, "events" | "leaders">;

async function read(path: string, credentials: Credentials, accept: string): Promise<string> {
  const headers = { ...credentials, accept };
  const response = await server.handle(new Request(`http://localhost:3000${path}`, { headers }));
  expect(response.status).toBe(200);
  return response.text();
}

/** The data of the Action page as its HTML brings it, and as the browser's code reads it. */
async function openPage(credentials: Credentials) {
  const html = await read(`/sessions/${session.slug}`, credentials, "text/html");
  const scripts = [...html.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/gs)];
  const [loaded = "", ...others] = scripts.map(([, text = ""]) => text);
  expect(others).toEqual([]);
  const { loaderData }: { loaderData: Record<string, object> } = JSON.parse(loaded);
  const data = Object.values(loaderData).find((each): each is Answer => "events" in each);
  if (data === undefined) throw new Error("The page has no events.");
  return { loaded, events: data.events, leaders: data.leaders };
}

/** The same over the API. */
async function readAnswers(credentials: Credentials): Promise<Answer> {
  const readJson = async <Body>(path: string): Promise<Body> => {
    const body: Body = JSON.parse(await read(path, credentials, "application/json"));
    return body;
  };
  const { events } = await readJson<EventsAnswer>(`/api/v1/sessions/${session.slug}/events?per_page=100`);
  const leadersPath = `/api/v1/scores/leaders?session_id=${session.slug}&limit=10`;
  const leaders = await readJson<LeadersAnswer>(leadersPath);
  return { events, leaders };
}

test("a page brings the events once, with its viewer's own calls and nobody else's", async () => {
  const [page, other] = [await openPage(ofAna), await openPage(ofBob)];
  for (const { loaded } of [page, other]) {
    for (const { title } of [paid, called, uncalled]) expect(loaded).toContain(title);
    expect(loaded.split(uncalled.title)).toHaveLength(2);
  }
  const ownCall = `"eventTitle":"${called.title}"`;
  expect(page.loaded).toContain(ownCall);
  expect(other.loaded).not.toContain(ownCall);
});

test("the data of a page is what the API answers to its viewer, also after a call", async () => {
  for (let round = 0; round < 2; round += 1) {
    for (const credentials of [ofAna, ofBob]) {
      const { events, leaders } = await openPage(credentials);
      expect({ events, leaders }).toEqual(await readAnswers(credentials));
    }
    await buildCall(deps, { userId: bob.id, eventId: uncalled.id, wagerCents: 300 });
  }
});

test("a signed-out viewer's page brings the events and no leaders", async () => {
  const { loaded, events, leaders } = await openPage({});
  expect(events.map(({ id }) => id)).toEqual([paid.id, called.id, uncalled.id]);
  expect(leaders).toMatchObject({ leaders: [], me: null });
  expect(loaded).not.toContain(ana.username);
});
