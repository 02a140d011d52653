import * as v from "valibot";
import { until, Visitor } from "#tests/deploy/visitor.ts";

// bun tests/proofs/newcomer/place-call.ts ORIGIN: a stranger opens the first page of the demo, plays as a guest and places a call.
const [origin = ""] = process.argv.slice(2);
const spots = v.array(v.object({ id: v.number(), side: v.string() }));
const sessions = v.object({ sessions: v.array(v.object({ id: v.number(), active: v.boolean() })) });
const events = v.object({ events: v.array(v.object({ state: v.string(), spots })) });
const placed = v.object({ call: v.object({ state: v.string(), wager: v.number() }) });

const page = await fetch(origin);
const html = await page.text();
if (!page.ok || !html.includes("Play now"))
  throw new Error(`The first page answered ${page.status}: ${html}`);
const guest = new Visitor(origin);
await guest.send("POST", "/users/guest");
const spot = await until("an open action", async () => {
  const { sessions: listed } = v.parse(sessions, await guest.send("GET", "/api/v1/sessions"));
  const active = listed.find((session) => session.active);
  if (active === undefined) return null;
  const read = v.parse(events, await guest.send("GET", `/api/v1/sessions/${active.id}/events`));
  return read.events.find(({ state }) => state === "open")?.spots.find(({ side }) => side === "true") ?? null;
});
const answer = await guest.send("POST", "/api/v1/calls", { call: { spot_id: spot.id, wager: 1 } });
const { call } = v.parse(placed, answer);
process.stdout.write(`a guest's call is ${call.state} with $${call.wager}\n`);
