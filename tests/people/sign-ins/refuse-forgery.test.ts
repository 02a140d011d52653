import { expect, test } from "bun:test";
import { calls } from "#db/schema/calls.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { authenticate } from "#src/people/sign-ins/authenticate.ts";
import { verifyToken } from "#src/people/sign-ins/refuse-forgery.ts";
import { testWorld } from "#tests/support/world.ts";
import { Person, buildMember, buildSignedIn } from "../users/person.ts";

const { deps, server, db, build, read } = await testWorld();
const event = await build.event("open");
const body = { call: { spot_id: (await read.spots(event.id)).true.id, wager: 1 } };

const signIn = async () => (await buildSignedIn(deps, server)).person;

async function expectRefused(response: Response, callsBefore: number) {
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ code: "invalid_authenticity_token" });
  expect(await db.$count(calls)).toBe(callsBefore);
}

const place = (client: Person, headers: Record<string, string>) =>
  client.send("POST", "/api/v1/calls", { body, headers });

test("an unsafe request with a token of an earlier answer is accepted, repeatedly", async () => {
  const client = await signIn();
  const first = client.token;
  expect((await place(client, {})).status).toBe(201);
  expect(client.token).not.toBe(first);
  expect((await place(client, {})).status).toBe(201);
  expect((await place(client, { "x-csrf-token": first })).status).toBe(201);
});

test("without a token, or with a wrong one, it is refused, and no call is placed", async () => {
  const client = await signIn();
  const other = await signIn();
  const stranger = new Person(server);
  await stranger.get("/api/v1/users/me");
  const before = await db.$count(calls);
  const { token } = client;
  const wrong = [
    "",
    "wrong",
    token.slice(0, -2),
    `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`,
    `${token}A`,
    other.token,
    stranger.token,
  ];
  for (const given of wrong) {
    await expectRefused(await place(client, { "x-csrf-token": given }), before);
  }
});

test("a request from another site's page is refused, even with a valid token", async () => {
  const client = await signIn();
  const before = await db.$count(calls);
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://localhost:3001" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreign) {
    await expectRefused(await place(client, { "x-csrf-token": client.token, ...headers }), before);
  }
  const own = { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" };
  expect((await place(client, own)).status).toBe(201);
});

test("a page on the requested host is accepted too: 127.0.0.1 beside localhost", async () => {
  const user = await buildMember(deps);
  const client = new Person(server, "http://127.0.0.1:4100");
  await client.signIn(user.email);
  expect((await place(client, { origin: "http://127.0.0.1:4100" })).status).toBe(201);
});

test("signing in is protected too: a token without its browser's cookie is invalid", async () => {
  const user = await buildMember(deps);
  const client = new Person(server);
  await client.get("/api/v1/users/me");
  client.cookies.clear();
  expect((await client.signIn(user.email)).status).toBe(422);
  expect((await client.signIn(user.email)).status).toBe(200);
});

test("a token from before the sign-in is invalid after it", async () => {
  const user = await buildMember(deps);
  const client = new Person(server);
  await client.get("/api/v1/users/me");
  const { token } = client;
  await client.signIn(user.email);
  expect((await place(client, { "x-csrf-token": token })).status).toBe(422);
});

test("a client cookie with a wrong signature is ignored", async () => {
  const client = new Person(server);
  await client.get("/api/v1/users/me");
  const [, signature] = String(client.cookies.get("called_it_visitor")).split(".");
  const chosen = `${"A".repeat(43)}.${signature}`;
  client.cookies.set("called_it_visitor", chosen);
  await client.get("/api/v1/users/me");
  expect(client.cookies.get("called_it_visitor")).not.toBe(chosen);
});

test("a browser that keeps no cookies is told so, and nothing is done; a program without a token is not", async () => {
  const client = await signIn();
  const before = await db.$count(calls);
  const { token } = client;
  client.cookies.clear();
  for (const [sent, text] of [
    [token, /keeps no cookies/],
    ["", /out of date/],
  ] as const) {
    const response = await place(client, { "x-csrf-token": sent });
    expect(await response.clone().json()).toMatchObject({ error: expect.stringMatching(text) });
    await expectRefused(response, before);
    client.cookies.clear();
  }
  // The same by a form, as it is sent without JavaScript.
  const request = new Request("http://localhost:3000/");
  const authentication = await authenticate(deps, createRequestContext(request, ""));
  expect(() => verifyToken(request, authentication, token)).toThrow("keeps no cookies");
});
