import { expect, test } from "bun:test";
import * as v from "valibot";
import { checkInput, type Schema } from "#src/http/check-input.ts";
import { errorBody, textLine } from "#src/http/schemas.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildBlueprint, buildEvent, buildPlayer, readSpots } from "#tests/support/build.ts";
import { signedInClient, signedOutClient, type TestClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await signedInClient(deps, server, await buildAdmin(deps));
const player = await buildPlayer(deps, { balanceCents: 500 });
const rival = await buildPlayer(deps);
const asPlayer = await signedInClient(deps, server, player);
const signedOut = await signedOutClient(server);
const blueprint = await buildBlueprint(deps, []);
const open = await buildEvent(deps, "open", { durationSeconds: 600, maxWagerCents: 400 });
const openSpot = (await readSpots(deps, open.id)).true.id;
const closedSpot = (await readSpots(deps, (await buildEvent(deps, "closed")).id)).true.id;

/** What to send: the client, the method, the path and the body. */
type Sent = [client: TestClient, method: string, path: string, body: object];

const question = (fields: object): Sent => [
  admin,
  "POST",
  "/api/v1/blueprint_events",
  { blueprint_event: { blueprint_id: blueprint.id, title: "Goal?", ...fields } },
];
const session = (fields: object): Sent => [
  admin,
  "POST",
  "/api/v1/sessions",
  { session: { name: "Derby", ...fields } },
];
const call = (fields: object): Sent => [
  asPlayer,
  "POST",
  "/api/v1/calls",
  { call: { spot_id: openSpot, ...fields } },
];
const profile = (fields: object): Sent => [asPlayer, "PATCH", `/api/v1/users/${player.id}`, { user: fields }];
const payment = (fields: object): Sent => [asPlayer, "POST", "/api/v1/payments", { payment: fields }];
const registration = (fields: object): Sent => [
  signedOut,
  "POST",
  "/users/guest_registration",
  {
    user: {
      email: "new@example.test",
      username: "newcomer",
      password: "an uncommon one",
      password_confirmation: "an uncommon one",
      ...fields,
    },
  },
];

/** Every text that the specification names for an invalid field, as the API answers it. */
const texts: Record<string, [Sent, Record<string, string[]>]> = {
  "is required": [question({ title: undefined }), { title: ["is required"] }],
  "is invalid": [
    question({ start_mode: "soon", colour: "red" }),
    { startMode: ["is invalid"], colour: ["is invalid"] },
  ],
  "is not a valid date": [session({ starts_at: "tomorrow" }), { startsAt: ["is not a valid date"] }],
  "is not a valid date, for a day that no month has": [
    session({ starts_at: "2026-02-31T20:00:00Z" }),
    { startsAt: ["is not a valid date"] },
  ],
  "is not a valid date, for an offset without minutes": [
    session({ starts_at: "2026-02-21T20:00:00+05" }),
    { startsAt: ["is not a valid date"] },
  ],
  "is not a valid boolean": [
    session({ settings: { small_room: "perhaps" } }),
    { "settings.smallRoom": ["is not a valid boolean"] },
  ],
  "can't be blank": [question({ title: "  " }), { title: ["can't be blank"] }],
  "is too long": [
    question({ true_label: "x".repeat(26) }),
    { trueLabel: ["is too long (maximum is 25 characters)"] },
  ],
  "is too short": [profile({ username: "an" }), { username: ["is too short (minimum is 3 characters)"] }],
  "must be an integer": [question({ duration_seconds: 5.5 }), { durationSeconds: ["must be an integer"] }],
  "must be an integer, for an id": [call({ spot_id: openSpot + 0.5 }), { spotId: ["must be an integer"] }],
  "must be an integer, for an id that is too large to be exact": [
    call({ spot_id: 2 ** 53 }),
    { spotId: ["must be an integer"] },
  ],
  "is not a number": [call({ wager: "much" }), { wager: ["is not a number"] }],
  "must be greater than": [call({ wager: 0 }), { wager: ["must be greater than 0"] }],
  "must be greater than or equal to": [
    question({ duration_seconds: 4 }),
    { durationSeconds: ["must be greater than or equal to 5"] },
  ],
  "must be less than or equal to": [call({ wager: 4.5 }), { wager: ["must be less than or equal to 4"] }],
  "must be less than": [
    profile({ avatar: "an upload", crop: { x: 10_000, y: 0, size: 10 } }),
    { "crop.x": ["must be less than 10000"] },
  ],
  "must be accepted": [registration({ terms: "0" }), { terms: ["must be accepted"] }],
  "doesn't match": [
    registration({ password_confirmation: "another one" }),
    { passwordConfirmation: ["doesn't match Password"] },
  ],
  "has already been taken": [
    profile({ username: rival.username.toUpperCase() }),
    { username: ["has already been taken"] },
  ],
  "is reserved": [profile({ username: "Admin" }), { username: ["is reserved"] }],
  "must exist": [call({ spot_id: 999_999 }), { spot: ["must exist"] }],
  "has insufficient balance to cover": [
    call({ spot_id: (await readSpots(deps, (await buildEvent(deps, "open")).id)).true.id, wager: 5.01 }),
    { wallet: ["has insufficient balance to cover"] },
  ],
  "has wrong state": [call({ spot_id: closedSpot }), { spot: ["has wrong state"] }],
};

test.each(Object.entries(texts))("a field is refused: %s, and nothing changes", async (_, [sent, errors]) => {
  const [client, method, path, body] = sent;
  const before = await digestTables(deps.pool.db);
  const answer = await client.send(method, path, body);
  expect(answer.status).toBe(422);
  expect(v.parse(errorBody, answer.body).errors).toEqual(errors);
  expect(await digestTables(deps.pool.db)).toBe(before);
});

test("what does not exist, or belongs to another player, is not found", async () => {
  for (const path of ["/api/v1/events/999999", `/api/v1/users/${rival.id}/wallet`]) {
    const answer = await asPlayer.get(path);
    expect(answer).toMatchObject({ status: 404, body: { error: "not found", code: "not_found" } });
  }
});

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
/** The bounds of the fields: the last value that is accepted, the first that is refused, and its text. */
const bounds: [what: string, accepted: Sent, refused: Sent, error: string][] = [
  [
    "a question of 140 characters",
    question({ title: letters(140) }),
    question({ title: letters(141) }),
    "is too long (maximum is 140 characters)",
  ],
  [
    "a description of 500 characters",
    question({ description: letters(500) }),
    question({ description: letters(501) }),
    "is too long (maximum is 500 characters)",
  ],
  [
    "a label of 25 characters",
    question({ false_label: letters(25) }),
    question({ false_label: letters(26) }),
    "is too long (maximum is 25 characters)",
  ],
  [
    "5 seconds to call",
    question({ duration_seconds: 5 }),
    question({ duration_seconds: 4 }),
    "must be greater than or equal to 5",
  ],
  [
    "1800 seconds to call",
    question({ duration_seconds: 1_800 }),
    question({ duration_seconds: 1_801 }),
    "must be less than or equal to 1800",
  ],
  [
    "a session's name of 80 characters",
    session({ name: letters(80) }),
    session({ name: letters(81) }),
    "is too long (maximum is 80 characters)",
  ],
  [
    "a lead of 600 seconds",
    session({ settings: { lead_seconds: 600 } }),
    session({ settings: { lead_seconds: 601 } }),
    "must be less than or equal to 600",
  ],
  ["a wager of one cent", call({ wager: 0.01 }), call({ wager: 0.001 }), "is invalid"],
  [
    "a username of 3 characters",
    profile({ username: "abc" }),
    profile({ username: "ab" }),
    "is too short (minimum is 3 characters)",
  ],
  [
    "a username of 20 characters",
    profile({ username: letters(20) }),
    profile({ username: letters(21) }),
    "is too long (maximum is 20 characters)",
  ],
  [
    "a deposit of $1",
    payment({ amount: 1 }),
    payment({ amount: 0.99 }),
    "must be greater than or equal to 1",
  ],
  [
    "a deposit of $500",
    payment({ amount: 500 }),
    payment({ amount: 500.01 }),
    "must be less than or equal to 500",
  ],
  [
    "a password of 8 characters",
    registration({ password: "q7!dkx2p", password_confirmation: "q7!dkx2p" }),
    registration({ password: "q7!dkx2", password_confirmation: "q7!dkx2" }),
    "is too short (minimum is 8 characters)",
  ],
];

test.each(bounds)(
  "%s is within the bounds, and one step further is not",
  async (_, accepted, refused, error) => {
    const before = await digestTables(deps.pool.db);
    const [client, method, path, body] = refused;
    const answer = await client.send(method, path, body);
    expect(answer.status).toBe(422);
    expect(Object.values(v.parse(errorBody, answer.body).errors ?? {})).toContainEqual([error]);
    expect(await digestTables(deps.pool.db)).toBe(before);
    expect((await accepted[0].send(accepted[1], accepted[2], accepted[3])).status).toBeWithin(200, 300);
  },
);
