import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import { checkInput, type Schema } from "#src/http/check-input.ts";
import { errorBody, textLine } from "#src/http/schemas.ts";
import { type TestClient } from "#tests/support/client.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

// The texts of refusals that read more than one field: those of a single field are in read-resource.test.ts. Each refusal changes nothing.

const { build, read, db, client, signedIn } = await testWorld();
const asAdmin = await client(await build.admin());
const player = await build.player({ balanceCents: 500 });
const asPlayer = await client(player);
const signedOut = await client();
const [guest, asGuest] = await signedIn.player();
await db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
const blueprint = await build.blueprint([]);
const pending = await build.session();
const callsOn = (await read.spots((await build.event("open")).id)).true.id;

type Sent = [client: TestClient, method: string, path: string, body?: object];

const question = (fields: object): Sent => {
  const event = { blueprint_id: blueprint.id, title: "Goal?", ...fields };
  return [asAdmin, "POST", "/api/v1/blueprint_events", { blueprint_event: event }];
};
const session = (fields: object): Sent => {
  return [asAdmin, "POST", "/api/v1/sessions", { session: { name: "Derby", ...fields } }];
};
const call = (fields: object): Sent => {
  return [asPlayer, "POST", "/api/v1/calls", { call: { spot_id: callsOn, ...fields } }];
};
const profile = (fields: object): Sent => [asPlayer, "PATCH", `/api/v1/users/${player.id}`, { user: fields }];
const payment = (amount: number): Sent => [asPlayer, "POST", "/api/v1/payments", { payment: { amount } }];
const PASSWORD = { password: "an uncommon one", password_confirmation: "an uncommon one" };
const registration = (fields: object): Sent => {
  const user = { email: "new@example.test", username: "newcomer", ...PASSWORD, ...fields };
  return [signedOut, "POST", "/users/guest_registration", { user }];
};

type Refused = { error: string; code: string; errors?: Record<string, string[]> };
/** The answer about one field, as its name is read out. */
const invalid = (field: string, name: string, text: string): [422, Refused] => [
  422,
  { error: `Validation failed: ${name} ${text}`, code: "invalid", errors: { [field]: [text] } },
];

/** Each text with a request that gets it, and the whole answer. */
const cases: Record<string, [sent: Sent, expected: [status: number, body: Refused]]> = {
  "an action that the state does not allow": [
    [asAdmin, "PUT", `/api/v1/sessions/${pending.slug}/pause`],
    invalid("state", "State", 'cannot transition via "Pause"'),
  ],
  "signing in twice": [
    [asPlayer, "POST", "/users/sign_in", { user: { email: "a@example.test", password: "some password" } }],
    [409, { error: "You are already signed in.", code: "already_signed_in" }],
  ],
  "a request without a sign-in": [
    [signedOut, "GET", "/api/v1/calls"],
    [401, { error: "You need to sign in or sign up before continuing.", code: "unauthenticated" }],
  ],
  "a guest where an account is needed": [
    [asGuest, "GET", "/api/v1/payments"],
    [
      403,
      { error: "To view the rest of the site, you need to finish creating your account.", code: "guest" },
    ],
  ],
  "an action for admins only": [
    [asPlayer, "GET", "/api/v1/blueprints"],
    [403, { error: "forbidden", code: "forbidden" }],
  ],
  "a record that does not exist": [
    [asPlayer, "GET", "/api/v1/events/999999"],
    [404, { error: "not found", code: "not_found" }],
  ],
  "a day that no month has": [
    session({ starts_at: "2026-02-31T20:00:00Z" }),
    invalid("startsAt", "Starts at", "is not a valid date"),
  ],
  "an offset without minutes": [
    session({ starts_at: "2026-02-21T20:00:00+05" }),
    invalid("startsAt", "Starts at", "is not a valid date"),
  ],
  "an id that is too large to be exact": [
    call({ spot_id: 2 ** 53 }),
    invalid("spotId", "Spot id", "must be an integer"),
  ],
};

test.each(Object.entries(cases))(
  "%s is refused, and nothing changes",
  async (_, [sent, [status, expected]]) => {
    const [client, method, path, body] = sent;
    const before = await read.digest();
    const answer = await client.send(method, path, body);
    const { detail: _detail, ...actual } = v.parse(errorBody, answer.body);
    const requestId = answer.headers.get("x-request-id") ?? "";
    expect([answer.status, actual]).toEqual([status, { ...expected, requestId }]);
    expect(await read.digest()).toBe(before);
  },
);

test("a count of one is in the singular", async () => {
  const short = v.object({ name: v.pipe(v.string(), v.minLength(1)) });
  const long = v.object({ name: v.pipe(v.string(), v.maxLength(1)) });
  const errorsOf = async (schema: Schema, name: string) =>
    (await refusalOf(Promise.resolve().then(() => checkInput(schema, { name })))).details.errors;
  expect(await errorsOf(short, "")).toEqual({ name: ["is too short (minimum is 1 character)"] });
  expect(await errorsOf(long, "ab")).toEqual({ name: ["is too long (maximum is 1 character)"] });
  const hidesPage = `a${"\u0301".repeat(16)}`;
  const line = v.object({ name: textLine(1) });
  expect(await errorsOf(line, hidesPage)).toEqual({ name: ["is too long (maximum is 1 character)"] });
});

const letters = (count: number) => "x".repeat(count);
const twice = (password: string) => registration({ password, password_confirmation: password });
const announcement = (length: number): Sent => {
  return [asAdmin, "POST", "/api/v1/announcements", { announcement: { title: letters(length) } }];
};
const message = (length: number): Sent => {
  const body = { message: { session_id: pending.slug, body: letters(length) } };
  return [asPlayer, "POST", "/api/v1/messages", body];
};
const adjustment = (amount: number): Sent => {
  const body = { adjustment: { amount, reason: "Found" } };
  return [asAdmin, "POST", `/api/v1/users/${player.id}/wallet/adjustments`, body];
};
/** The bounds of the fields: the last value that is accepted, and the first that is refused. */
const bounds: [what: string, accepted: Sent, refused: Sent][] = [
  ["140 letters of a question", question({ title: letters(140) }), question({ title: letters(141) })],
  ["500 of its text", question({ description: letters(500) }), question({ description: letters(501) })],
  ["25 of a side", question({ false_label: letters(25) }), question({ false_label: letters(26) })],
  ["5 seconds", question({ duration_seconds: 5 }), question({ duration_seconds: 4 })],
  ["30 days", question({ duration_seconds: 2_592_000 }), question({ duration_seconds: 2_592_001 })],
  ["30 days of an offset", question({ offset_seconds: 2_592_000 }), question({ offset_seconds: 2_592_001 })],
  ["a maximum of $1,000,000", question({ max_wager: 1_000_000 }), question({ max_wager: 1_000_001 })],
  ["140 letters of an announcement", announcement(140), announcement(141)],
  ["500 letters of a message", message(500), message(501)],
  ["60 letters of an address", session({ slug: letters(60) }), session({ slug: letters(61) })],
  ["an adjustment of $10,000", adjustment(10_000), adjustment(10_000.01)],
  ["80 letters of a session", session({ name: letters(80) }), session({ name: letters(81) })],
  [
    "10 minutes of lead",
    session({ settings: { lead_seconds: 600 } }),
    session({ settings: { lead_seconds: 601 } }),
  ],
  ["a wager of one cent", call({ wager: 0.01 }), call({ wager: 0.001 })],
  ["2 letters of a player", profile({ username: "ab" }), profile({ username: "a" })],
  ["20 letters of a player", profile({ username: letters(20) }), profile({ username: letters(21) })],
  ["a deposit of $1", payment(1), payment(0.99)],
  ["a deposit of $500", payment(500), payment(500.01)],
  ["8 letters of a password", twice("q7!dkx2p"), twice("q7!dkx2")],
];

test.each(bounds)(
  "a value at its bound is accepted, and one step further is refused: %s",
  async (_, accepted, refused) => {
    const before = await read.digest();
    const [client, method, path, body] = refused;
    const answer = await client.send(method, path, body);
    expect([answer.status, answer.body]).toMatchObject([422, { code: "invalid" }]);
    expect(await read.digest()).toBe(before);
    expect((await accepted[0].send(accepted[1], accepted[2], accepted[3])).status).toBeWithin(200, 300);
  },
);
