import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { signIns, users } from "#db/schema/users.ts";
import { errorBody } from "#src/http/schemas.ts";
import { createServer } from "#src/server.ts";
import {
  buildAdmin,
  buildBlueprint,
  buildCall,
  buildEvent,
  buildPlayer,
  buildSession,
  readSpots,
} from "#tests/support/build.ts";
import { signedInClient, type TestClient, signedOutClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const asAdmin = await signedInClient(deps, server, await buildAdmin(deps));
const digest = () => digestTables(deps.pool.db);

type ErrorRequest = { client: TestClient; method: string; path: string; body?: object };
type ErrorAnswer = {
  status: number;
  body: { error: string; code: string; errors?: Record<string, string[]> };
};

const asPlayer = async (balanceCents?: number) =>
  signedInClient(deps, server, await buildPlayer(deps, balanceCents === undefined ? {} : { balanceCents }));
const failed = (errors: Record<string, string[]>, sentences: string, code = "invalid"): ErrorAnswer => ({
  status: 422,
  body: { error: `Validation failed: ${sentences}`, code, errors },
});

/** The exact error texts, each with a request that gets it and the whole answer. */
const cases: Record<string, [build: () => Promise<ErrorRequest>, expected: ErrorAnswer]> = {
  "a transition that the state does not allow": [
    async () => {
      const { id } = await buildEvent(deps, "resolved");
      const body = { event: { state_event: "open_event" } };
      return { client: asAdmin, method: "PATCH", path: `/api/v1/events/${id}/state`, body };
    },
    failed(
      { stateEvent: ["cannot transition when Resolved"] },
      "State event cannot transition when Resolved",
    ),
  ],
  "an action that the state does not allow": [
    async () => {
      const { slug } = await buildSession(deps);
      return { client: asAdmin, method: "PUT", path: `/api/v1/sessions/${slug}/pause` };
    },
    failed({ state: ['cannot transition via "Pause"'] }, 'State cannot transition via "Pause"'),
  ],
  "deleting a record that others depend on": [
    async () => {
      const { id } = await buildEvent(deps, "open");
      await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: id });
      return { client: asAdmin, method: "DELETE", path: `/api/v1/events/${id}` };
    },
    {
      status: 422,
      body: {
        error: "Cannot delete record because dependent calls exist",
        code: "dependents",
        errors: { base: ["Cannot delete record because dependent calls exist"] },
      },
    },
  ],
  "signing in twice": [
    async () => {
      const body = { user: { email: "a@example.test", password: "some password" } };
      return { client: await asPlayer(), method: "POST", path: "/users/sign_in", body };
    },
    { status: 409, body: { error: "You are already signed in.", code: "already_signed_in" } },
  ],
  "an expired sign-in": [
    async () => {
      const player = await buildPlayer(deps);
      const client = await signedInClient(deps, server, player);
      await deps.pool.db
        .update(signIns)
        .set({ expiresAt: new Date(0) })
        .where(eq(signIns.userId, player.id));
      return { client, method: "GET", path: "/api/v1/users/me" };
    },
    {
      status: 401,
      body: { error: "Your session expired. Please sign in again to continue.", code: "session_expired" },
    },
  ],
  "a request without a sign-in": [
    async () => ({ client: await signedOutClient(server), method: "GET", path: "/api/v1/calls" }),
    {
      status: 401,
      body: { error: "You need to sign in or sign up before continuing.", code: "unauthenticated" },
    },
  ],
  "a guest where an account is needed": [
    async () => {
      const guest = await buildPlayer(deps);
      await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
      return { client: await signedInClient(deps, server, guest), method: "GET", path: "/api/v1/payments" };
    },
    {
      status: 403,
      body: {
        error: "To view the rest of the site, you need to finish creating your account.",
        code: "guest",
      },
    },
  ],
  "a new password without the mail": [
    async () => ({
      client: await signedOutClient(server),
      method: "PUT",
      path: "/users/password",
      body: { user: { password: "an uncommon one", password_confirmation: "an uncommon one" } },
    }),
    {
      status: 403,
      body: {
        error: "You can't access this page without coming from a password reset email.",
        code: "reset_token_missing",
      },
    },
  ],
  "a call on a closed spot": [
    async () => {
      const { true: spot } = await readSpots(deps, (await buildEvent(deps, "closed")).id);
      const body = { call: { spot_id: spot.id } };
      return { client: await asPlayer(), method: "POST", path: "/api/v1/calls", body };
    },
    failed({ spot: ["has wrong state"] }, "Spot has wrong state", "invalid_spot_state"),
  ],
  "a call that the balance does not cover": [
    async () => {
      const { true: spot } = await readSpots(deps, (await buildEvent(deps, "open")).id);
      const body = { call: { spot_id: spot.id, wager: 2 } };
      return { client: await asPlayer(199), method: "POST", path: "/api/v1/calls", body };
    },
    failed(
      { wallet: ["has insufficient balance to cover"] },
      "Wallet has insufficient balance to cover",
      "insufficient_balance",
    ),
  ],
  "a reference to a record that does not exist": [
    async () => {
      const body = { blueprint_event: { blueprint_id: 999_999, title: "Goal?" } };
      return { client: asAdmin, method: "POST", path: "/api/v1/blueprint_events", body };
    },
    failed({ blueprint: ["must exist"] }, "Blueprint must exist"),
  ],
  "a name that is taken": [
    async () => {
      const { slug } = await buildSession(deps);
      return {
        client: asAdmin,
        method: "POST",
        path: "/api/v1/sessions",
        body: { session: { name: "A", slug } },
      };
    },
    failed({ slug: ["has already been taken"] }, "Slug has already been taken"),
  ],
  "a reserved name": [
    async () => {
      const body = { session: { name: "A", slug: "new" } };
      return { client: asAdmin, method: "POST", path: "/api/v1/sessions", body };
    },
    failed({ slug: ["is reserved"] }, "Slug is reserved"),
  ],
  "several invalid fields, each with its own text": [
    async () => {
      const { id } = await buildBlueprint(deps, []);
      const event = { title: " ", true_label: "x".repeat(26), duration_seconds: 5.5, min_wager: "much" };
      const body = { blueprint_event: { blueprint_id: id, ...event, start_mode: "soon", max_wager: 0 } };
      return { client: asAdmin, method: "POST", path: "/api/v1/blueprint_events", body };
    },
    failed(
      {
        title: ["can't be blank"],
        trueLabel: ["is too long (maximum is 25 characters)"],
        startMode: ["is invalid"],
        durationSeconds: ["must be an integer"],
        minWager: ["is not a number"],
        maxWager: ["must be greater than 0"],
      },
      "Title can't be blank, True label is too long (maximum is 25 characters), Start mode is invalid, Duration seconds must be an integer, Min wager is not a number, Max wager must be greater than 0",
    ),
  ],
  "a record that does not exist": [
    async () => ({ client: await asPlayer(), method: "GET", path: "/api/v1/events/999999" }),
    { status: 404, body: { error: "not found", code: "not_found" } },
  ],
  "a record of another user": [
    async () => {
      const { id } = await buildPlayer(deps);
      return { client: await asPlayer(), method: "GET", path: `/api/v1/users/${id}/wallet` };
    },
    { status: 404, body: { error: "not found", code: "not_found" } },
  ],
  "an action for admins only": [
    async () => ({ client: await asPlayer(), method: "GET", path: "/api/v1/blueprints" }),
    { status: 403, body: { error: "forbidden", code: "forbidden" } },
  ],
};

for (const [what, [build, expected]] of Object.entries(cases)) {
  test(what, async () => {
    const { client, method, path, body: sent } = await build();
    const before = await digest();
    const { status, body, headers } = await client.send(method, path, sent);
    const { detail: _detail, ...actual } = v.parse(errorBody, body);
    expect({ status, body: actual }).toEqual({
      status: expected.status,
      body: { ...expected.body, requestId: headers.get("x-request-id") ?? "" },
    });
    expect(await digest()).toBe(before);
  });
}
