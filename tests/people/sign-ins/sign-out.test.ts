import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import { connectRedis } from "#src/base/redis.ts";
import { CONTROL_CHANNEL } from "#src/base/streams/broadcast.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { givePassword, Person } from "../users/person.ts";

const deps = await testDeps();
const server = createServer(deps);

async function buildSignedIn() {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const client = new Person(server);
  await client.signIn(user.email);
  return { user, client };
}

test("signing out ends the sign-in, and copies of its cookie become invalid", async () => {
  const { user, client } = await buildSignedIn();
  const thief = new Person(server);
  thief.cookies.set("called_it", String(client.cookies.get("called_it")));
  expect((await thief.get("/api/v1/users/me")).status).toBe(200);

  const response = await client.send("DELETE", "/users/sign_out");
  // Otherwise "Back" would show this user's pages, which the browser keeps in its memory.
  expect(response.headers.get("clear-site-data")).toBe('"cache"');
  expect(response.status).toBe(204);
  expect(await response.text()).toBe("");
  expect(client.cookies.has("called_it")).toBe(false);

  expect((await thief.get("/api/v1/users/me")).status).toBe(401);
  expect((await client.get("/api/v1/users/me")).status).toBe(401);
  const row = only(await deps.pool.db.select().from(signIns).where(eq(signIns.userId, user.id)));
  expect(row.endedAt).not.toBeNull();
});

test("signing out does not affect other browsers", async () => {
  const { user, client } = await buildSignedIn();
  const other = new Person(server);
  await other.signIn(user.email);
  await client.send("DELETE", "/users/sign_out");
  expect((await other.get("/api/v1/users/me")).status).toBe(200);
});

test("signing out while signed out changes nothing", async () => {
  const client = new Person(server);
  await client.get("/api/v1/users/me");
  expect((await client.send("DELETE", "/users/sign_out")).status).toBe(204);
});

test("after signing out the same browser can sign in again, with a new token", async () => {
  const { user, client } = await buildSignedIn();
  const old = client.token;
  await client.send("DELETE", "/users/sign_out");
  const stale = await client.send("POST", "/users/sign_in", {
    headers: { "x-csrf-token": old },
    body: { user: { email: user.email, password: "x" } },
  });
  expect(stale.status).toBe(422);
  expect((await client.signIn(user.email)).status).toBe(200);
});

test("the sockets of the sign-in are disconnected", async () => {
  const { user, client } = await buildSignedIn();
  const { id: signInId } = only(await deps.pool.db.select().from(signIns).where(eq(signIns.userId, user.id)));
  const subscriber = connectRedis(deps.env.redisUrl, "subscribe");
  const published = new Promise<string>((resolve) =>
    subscriber.on("message", (_, text: string) => resolve(text)),
  );
  await subscriber.subscribe(CONTROL_CHANNEL);
  await client.send("DELETE", "/users/sign_out");
  expect(JSON.parse(await published)).toEqual({ signInId });
  subscriber.disconnect();
});

test("a sign-out without an anti-forgery token is refused, and the sign-in stays valid until one with it", async () => {
  const { client } = await buildSignedIn();
  const response = await client.send("DELETE", "/users/sign_out", { headers: { "x-csrf-token": "" } });
  expect(response.status).toBe(422);
  expect((await client.get("/api/v1/users/me")).status).toBe(200);
  expect((await client.send("DELETE", "/users/sign_out")).status).toBe(204);
  expect((await client.get("/api/v1/users/me")).status).toBe(401);
});
