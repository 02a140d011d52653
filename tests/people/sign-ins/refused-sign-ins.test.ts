import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { signIns, users } from "#db/schema/users.ts";
import { errorBody } from "#src/http/schemas.ts";
import { createServer } from "#src/server.ts";
import { type BuiltUser, buildPlayer } from "#tests/support/build.ts";
import { signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { givePassword, PASSWORD } from "../users/person.ts";

const deps = await testDeps();
const server = createServer(deps);

type Refused = { status: number; body: { error: string; code: string } };

/** The exact texts of a refused sign-in. What is counted is in locking.test.ts; here nobody is signed in by it. */
const refusedSignIns: [what: string, Partial<BuiltUser>, password: string, Refused][] = [
  [
    "a wrong password",
    { failedAttempts: 0 },
    "a wrong one",
    { status: 401, body: { error: "Invalid credentials or password.", code: "invalid_credentials" } },
  ],
  [
    "the last attempt before the lock",
    { failedAttempts: 18 },
    "a wrong one",
    {
      status: 401,
      body: { error: "You have one more attempt before your account is locked.", code: "last_attempt" },
    },
  ],
  [
    "a locked account",
    { failedAttempts: 20, lockedAt: new Date() },
    PASSWORD,
    { status: 403, body: { error: "Your account is locked.", code: "locked" } },
  ],
  [
    "an account that is not activated",
    { deactivatedAt: new Date() },
    PASSWORD,
    { status: 403, body: { error: "Your account is not activated yet.", code: "inactive" } },
  ],
  [
    "an address that is not confirmed",
    { confirmedAt: null, confirmBy: new Date(0) },
    PASSWORD,
    {
      status: 403,
      body: { error: "You have to confirm your email address before continuing.", code: "unconfirmed" },
    },
  ],
];

test.each(refusedSignIns)("a sign-in is refused: %s", async (_, changes, password, expected) => {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  await deps.pool.db.update(users).set(changes).where(eq(users.id, user.id));
  const client = await signedOutClient(server);
  const { status, body } = await client.send("POST", "/users/sign_in", {
    user: { email: user.email, password },
  });
  const { error, code } = v.parse(errorBody, body);
  expect({ status, body: { error, code } }).toEqual(expected);
  expect(await deps.pool.db.$count(signIns, eq(signIns.userId, user.id))).toBe(0);
});
