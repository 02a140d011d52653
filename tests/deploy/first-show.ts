import * as v from "valibot";

// bun tests/deploy/first-show.ts ORIGIN LINK: the first admin of a new machine, from the link that `called-it admin` has printed to a show
// that runs and has paid a guest. It prints a line for each step of the admin, and at the end the cookie of the sign-in.

const PASSWORD = "a password of the first admin 7";
const WITHIN_MS = 120_000;
const POLL_MS = 500;
const [origin = "", link = ""] = process.argv.slice(2);
const row = v.object({ id: v.number() });
const session = v.object({ session: v.object({ id: v.number(), slug: v.string(), state: v.string() }) });
const listed = v.object({
  id: v.number(),
  state: v.string(),
  spots: v.array(v.object({ id: v.number(), side: v.string() })),
});
const call = v.object({ call: v.object({ id: v.number(), state: v.string() }) });

/** A browser: its cookies, and the token that its changes carry. */
class Person {
  readonly #cookies = new Map<string, string>();
  #token = "";

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Sends a request. @returns the decoded answer. @throws if it is not a success. */
  async send(method: string, path: string, body?: object): Promise<unknown> {
    if (this.#token === "" && method !== "GET") await this.send("GET", "/api/v1/front_door");
    const answer = await fetch(origin + path, {
      method,
      headers: {
        accept: "application/json",
        origin,
        cookie: this.cookie,
        "x-csrf-token": this.#token,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/);
      this.#cookies.set(name, value);
    }
    this.#token = answer.headers.get("x-csrf-token") ?? this.#token;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  }
}

async function until<Found>(what: string, find: () => Promise<Found | null>): Promise<Found> {
  const end = Date.now() + WITHIN_MS;
  while (Date.now() < end) {
    const found = await find();
    if (found !== null) return found;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`${what} did not come within ${WITHIN_MS} ms.`);
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
let steps = 0;
const admin = new Person();
/** One thing that the admin does. */
async function step(what: string, ...request: Parameters<Person["send"]>): Promise<unknown> {
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
const actions = [{ title: "Rain by noon?", duration_seconds: 60 }, { title: "Sun by six?" }];
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

const guest = new Person();
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
say(`cookie ${admin.cookie}`);
