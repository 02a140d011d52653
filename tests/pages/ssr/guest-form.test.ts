import { expect, test } from "bun:test";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildRunningSession, buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Reader } from "./browser.ts";

const deps = await testDeps();
const server = createServer(deps);

const guests = () => deps.pool.db.$count(users);

test("a tap on a live session's page creates a guest and stays; from other pages it ends at /guest", async () => {
  const session = await buildRunningSession(deps, { slug: "the-show" });
  const path = `/sessions/${session.slug}`;
  const page = await new Reader(server).open(path);
  expect(page.status).toBe(200);
  expect(page.html).toContain("Play as guest");

  for (const [from, to] of [
    [path, path],
    ["/profile", path],
    ["//evil.example", path],
    ["", path],
  ]) {
    const reader = new Reader(server);
    const formAddress = `/users/guest?${new URLSearchParams({ return_to: from ?? "" }).toString()}`;
    const answer = await reader.sendForm(formAddress, {}, { from: path });
    expect({ from, status: answer.status, location: answer.location }).toEqual({
      from,
      status: 302,
      location: to ?? "",
    });
    const profile = await reader.open("/profile");
    expect(profile.location).toBe("/guest");
  }
});

test("a session that is not live redirects signed-out clients to the sign-in page, and back", async () => {
  const session = await buildSession(deps);
  const { status, location } = await new Reader(server).open(`/sessions/${session.slug}`);
  expect(status).toBe(302);
  expect(location).toBe(`/users/sign_in?return_to=%2Fsessions%2F${session.slug}`);
});

test("a guest has to confirm before logging out", async () => {
  const reader = new Reader(server);
  await reader.sendForm("/users/guest", {}, { from: "/users/sign_in" });
  const confirmation = await reader.open("/users/sign_out");
  expect(confirmation.status).toBe(200);
  expect(confirmation.html).toContain("Leave for good?");
  expect(confirmation.html).toContain("Create Account");
  expect((await reader.open("/guest")).status).toBe(200);

  const left = await reader.sendForm("/users/sign_out", {}, { from: "/users/sign_out" });
  expect([left.status, left.location]).toEqual([302, "/users/sign_in"]);
  expect((await reader.open("/guest")).location).toStartWith("/users/sign_in");
});

test("a form without its token creates no guest", async () => {
  const before = await guests();
  const { status } = await new Reader(server).post("/users/guest", {});
  expect(status).toBe(422);
  expect(await guests()).toBe(before);
});

test("too many taps from one address get a page that says when and what next, and create no guest", async () => {
  const env = { ...deps.env, guestsPerAddress: 3 };
  const limited = createServer({ ...deps, env }).listen({ hostname: "127.0.0.1", port: 0 });
  const origin = `http://127.0.0.1:${limited.server?.port}`;
  for (let taps = 0; taps < 3; taps += 1) expect((await tap()).status).toBe(302);
  const before = await guests();
  const refused = await tap();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(3_601, 86_401);
  expect(await refused.text()).toContain("That was too often. Try again in 24 hours, or create an account.");
  expect(await guests()).toBe(before);
  await limited.stop(true);

  async function tap(): Promise<Response> {
    const reader = new Reader({ handle: (request) => fetch(request, { redirect: "manual" }) }, origin);
    await reader.get("/api/v1/users/me");
    const body = new URLSearchParams({ authenticity_token: reader.token });
    const headers = { accept: "text/html", origin };
    return reader.pass(new Request(`${origin}/users/guest`, { method: "POST", body, headers }));
  }
});
