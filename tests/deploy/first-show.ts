import * as v from "valibot";
import { PASSWORD, until, Visitor } from "./visitor.ts";

// bun tests/deploy/first-show.ts ORIGIN LINK: the first admin of a new machine, from the link that `called-it admin` has printed to a show
// that runs and has paid a guest, who makes an account. It prints a line for each step of the admin, and at the end the cookies of both.

const [origin = "", link = ""] = process.argv.slice(2);
const row = v.object({ id: v.number() });
const session = v.object({ session: v.object({ id: v.number(), slug: v.string(), state: v.string() }) });
const listed = v.object({
  id: v.number(),
  state: v.string(),
  spots: v.array(v.object({ id: v.number(), side: v.string() })),
});
const call = v.object({ call: v.object({ id: v.number(), state: v.string() }) });

const say = (line: string) => void process.stdout.write(`${line}\n`);
let steps = 0;
const admin = new Visitor(origin);
/** One thing that the admin does. */
async function step(what: string, ...request: Parameters<Visitor["send"]>): Promise<unknown> {
  const answer = await admin.send(...request);
  say(`step ${++steps}: ${what}`);
  return answer;
}

const token = new URL(link).searchParams.get("reset_password_token");
const chosen = { password: PASSWORD, password_confirmation: PASSWORD };
await step("choose a password", "PUT", "/users/password", {
  user: { reset_password_token: token, ...chosen },
});
const blueprint = v.parse(
  v.object({ blueprint: row }),
  await step("make a blueprint", "POST", "/api/v1/blueprints", { blueprint: { name: "Friday" } }),
).blueprint;
const actions = [
  { title: "Rain by noon?", duration_seconds: 60 },
  { title: "Sun by six?", duration_seconds: 3_600 },
];
await step("add two actions", "POST", "/api/v1/blueprint_events/batch_create", {
  blueprint_id: blueprint.id,
  blueprint_events: actions,
});
const { id, slug } = v.parse(
  session,
  await step("generate a session", "POST", `/api/v1/blueprints/${blueprint.id}/generate_session`),
).session;
await step("send players there", "PUT", `/api/v1/sessions/${slug}/activate`);
const started = v.parse(session, await step("start", "PUT", `/api/v1/sessions/${slug}/start`));
say(`the show is ${started.session.state} after ${steps} steps`);

const guest = new Visitor(origin);
await guest.send("POST", "/users/guest");
const open = await until("an open action", async () => {
  const { events } = v.parse(
    v.object({ events: v.array(listed) }),
    await guest.send("GET", `/api/v1/sessions/${id}/events`),
  );
  return events.find(({ state }) => state === "open") ?? null;
});
const spot = open.spots.find(({ side }) => side === "true")?.id;
const placed = v.parse(
  call,
  await guest.send("POST", "/api/v1/calls", { call: { spot_id: spot, wager: 5 } }),
);
const state = `/api/v1/events/${open.id}/state`;
await step("close", "PATCH", state, { event: { state_event: "close_event" } });
await step("resolve", "PATCH", state, { event: { state_event: "resolve", result: true } });
const paid = await until("the payment", async () => {
  const read = v.parse(call, await guest.send("GET", `/api/v1/calls/${placed.call.id}`));
  return read.call.state === "resolved" ? `${read.call.state}` : null;
});
say(`a guest's call is ${paid} after ${steps} steps`);
const account = { email: "player@example.com", username: "Pia", password: PASSWORD };
await guest.send("POST", "/users/guest_registration", {
  user: { ...account, password_confirmation: PASSWORD },
});
say(`cookie ${admin.cookie}`);
say(`player ${guest.cookie}`);
