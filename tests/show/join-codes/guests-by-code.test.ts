import { beforeEach, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { createServer } from "#src/server.ts";
import { joinedAnswer } from "#src/show/join-codes/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { Person } from "#tests/people/users/person.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps({
  RATE_LIMITS: "on",
  GUESTS_PER_ADDRESS: "1",
  TRUSTED_PROXIES: "127.0.0.0/8",
});
const { db } = deps.pool;
const server = createServer(deps).listen({ port: 0, hostname: "127.0.0.1" });
afterFile(() => void server.stop(true));
const origin = `http://127.0.0.1:${server.server?.port}`;

let show: SessionRow;

beforeEach(async () => {
  show = await buildRunningSession(deps, { settings: { private: true } });
});

const isRegistered = (userId: number) =>
  db.$count(registrations, and(eq(registrations.sessionId, show.id), eq(registrations.userId, userId)));

let lastAddress = 0;
const comeFrom = async (address: string) => {
  const handle = (request: Request) => {
    request.headers.set("x-forwarded-for", address);
    return fetch(request);
  };
  const person = new Person({ handle }, origin);
  await person.get("/api/v1/users/me");
  return person;
};
const newAddress = () => `203.0.113.${(lastAddress += 1)}`;
const wrongCodesMax = rates.wrongJoinCode.perAddress({ guestsPerAddress: deps.env.guestsPerAddress });
const sendWrongCodes = async (address: string) => {
  for (let sent = 0; sent < wrongCodesMax; sent += 1)
    await limitRate(deps, rates.wrongJoinCode, { address, viewer: null });
};

test("guests who come by a code do not count against the limit of their address, and are in the show under their name", async () => {
  const address = newAddress();
  const before = await db.$count(users);
  for (const username of ["Gast_eins", "Gast_zwei", "Gast_drei"]) {
    const person = await comeFrom(address);
    const joined = await person.send("POST", "/api/v1/joins", {
      body: { join: { code: show.joinCode, username } },
    });
    expect(joined.status).toBe(201);
    const { user } = v.parse(joinedAnswer, await joined.json());
    expect([user.username, user.guest, await isRegistered(user.id)]).toEqual([username, true, 1]);
    expect((await person.get(`/api/v1/sessions/${show.slug}`)).status).toBe(200);
  }
  expect((await (await comeFrom(address)).send("POST", "/users/guest")).status).toBe(201);
  expect((await (await comeFrom(address)).send("POST", "/users/guest")).status).toBe(429);
  expect(await db.$count(users)).toBe(before + 4);
});

test("guests are not made by a wrong code, nor under a name that is taken", async () => {
  const person = await comeFrom(newAddress());
  const taken = await buildPlayer(deps);
  const before = await db.$count(users);
  const send = (body: object) => person.send("POST", "/api/v1/joins", { body: { join: body } });
  expect((await send({ code: "XXXXXX" })).status).toBe(404);
  expect((await send({ code: show.joinCode, username: taken.username })).status).toBe(422);
  expect(await db.$count(users)).toBe(before);
});

test("nobody finds a code by trying, and nobody is locked out of the own show by others who try", async () => {
  const address = newAddress();
  const first = await comeFrom(address);
  expect((await first.get(`/api/v1/join_codes/${show.joinCode}`)).status).toBe(200);
  await sendWrongCodes(address);
  const other = await buildRunningSession(deps);
  const person = await comeFrom(address);
  // A wrong code and one that nobody here has had are refused alike.
  for (const code of ["XXXXXX", other.joinCode])
    expect([code, (await person.get(`/api/v1/join_codes/${code}`)).status]).toEqual([code, 429]);
  expect((await person.get(`/api/v1/join_codes/${show.joinCode}`)).status).toBe(200);
  expect(
    (await person.send("POST", "/api/v1/joins", { body: { join: { code: show.joinCode } } })).status,
  ).toBe(201);
  expect((await (await comeFrom(newAddress())).get(`/api/v1/join_codes/${other.joinCode}`)).status).toBe(200);
});
