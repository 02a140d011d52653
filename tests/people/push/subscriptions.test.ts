import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { isPushEndpoint } from "#src/people/push/push-address.ts";
import {
  pushSubscriptionAnswer,
  type PushSubscriptionBody,
  pushSubscriptionsAnswer,
} from "#src/people/push/schemas.ts";
import { signedInClient, type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { PushBrowser } from "./push-browser.ts";

const { deps, server, db, build } = await testWorld();

let lastNumber = 0;
const newBrowser = () => new PushBrowser(`https://push.example.com/send/${++lastNumber}`);

async function buildSubscriber() {
  const player = await build.player();
  const path = `/api/v1/users/${player.id}/push_subscriptions`;
  const client = await signedInClient(deps, server, player);
  const rows = () =>
    db
      .select()
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, player.id))
      .orderBy(asc(pushSubscriptions.id));
  return { player, path, client, rows };
}

const save = (client: TestClient, path: string, subscription: Partial<PushSubscriptionBody>) =>
  client.send("PUT", path, { pushSubscription: subscription });

test("a player has no browser that gets messages, until one subscribes with the product's key", async () => {
  const { path, client } = await buildSubscriber();
  const none = await client.read(path, pushSubscriptionsAnswer);
  expect(none.pushSubscriptions).toEqual([]);
  expect(none.meta.publicKey).toBe(deps.env.push.publicKey);
  expect(Buffer.from(none.meta.publicKey, "base64url").length).toBe(65);

  const browser = newBrowser();
  const saved = await save(client, path, browser.subscription({ results: false }));
  expect(saved.status).toBe(200);
  const { pushSubscription } = v.parse(pushSubscriptionAnswer, saved.body);
  expect(pushSubscription).toMatchObject({ endpoint: browser.endpoint, sessionLive: true, results: false });
  // Its keys never leave the server again.
  expect(JSON.stringify(saved.body)).not.toContain(browser.subscription().auth);
  const listed = await client.read(path, pushSubscriptionsAnswer);
  expect(listed.pushSubscriptions).toEqual([pushSubscription]);
});

test("a browser that subscribes again changes what it shows", async () => {
  const { path, client, rows } = await buildSubscriber();
  const browser = newBrowser();
  await save(client, path, browser.subscription());
  await save(client, path, browser.subscription({ sessionLive: false }));
  expect(await rows()).toMatchObject([{ endpoint: browser.endpoint, sessionLive: false, results: true }]);
});

test("a new address of the same sign-in replaces the old one", async () => {
  const { path, client, rows } = await buildSubscriber();
  await save(client, path, newBrowser().subscription());
  const next = newBrowser();
  await save(client, path, next.subscription());
  expect(await rows()).toMatchObject([{ endpoint: next.endpoint }]);
});

test("the eleventh browser replaces the one that has not been there for the longest time", async () => {
  const { player, path, rows } = await buildSubscriber();
  const browsers = Array.from({ length: 11 }, newBrowser);
  const clients: TestClient[] = [];
  for (const browser of browsers.slice(0, 10)) {
    const client = await signedInClient(deps, server, player);
    clients.push(client);
    await save(client, path, browser.subscription());
  }
  // The first one comes back.
  if (clients[0] !== undefined) await save(clients[0], path, browsers[0]?.subscription() ?? {});
  await save(await signedInClient(deps, server, player), path, browsers[10]?.subscription() ?? {});
  const left = (await rows()).map(({ endpoint }) => endpoint);
  expect(left.toSorted()).toEqual(
    browsers
      .filter((_, index) => index !== 1)
      .map(({ endpoint }) => endpoint)
      .toSorted(),
  );
});

test("another player who signs in to the same browser gets its subscription, and one without its keys does not", async () => {
  const first = await buildSubscriber();
  const second = await buildSubscriber();
  const browser = newBrowser();
  await save(first.client, first.path, browser.subscription());
  const stranger = new PushBrowser(browser.endpoint);
  const refused = await save(second.client, second.path, stranger.subscription());
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errors: { endpoint: ["has already been taken"] } },
  ]);
  expect([(await first.rows()).length, (await second.rows()).length]).toEqual([1, 0]);
  expect((await save(second.client, second.path, browser.subscription())).status).toBe(200);
  expect([(await first.rows()).length, (await second.rows()).length]).toEqual([0, 1]);
});

const wrong: [what: string, change: Partial<PushSubscriptionBody>, field: string][] = [
  ["no https", { endpoint: "http://push.example.com/send/1" }, "endpoint"],
  ["another port", { endpoint: "https://push.example.com:6379/" }, "endpoint"],
  ["a name and a password", { endpoint: "https://me:secret@push.example.com/" }, "endpoint"],
  ["this machine", { endpoint: "https://localhost/" }, "endpoint"],
  ["a name of this network", { endpoint: "https://redis/" }, "endpoint"],
  ["a name that ends in .internal", { endpoint: "https://metadata.google.internal/" }, "endpoint"],
  ["an address of this machine", { endpoint: "https://127.0.0.1/" }, "endpoint"],
  ["the same as a number", { endpoint: "https://2130706433/" }, "endpoint"],
  ["the same with a dot at its end", { endpoint: "https://localhost./" }, "endpoint"],
  ["a private address", { endpoint: "https://10.0.0.8/" }, "endpoint"],
  ["the address of a cloud's metadata", { endpoint: "https://169.254.169.254/" }, "endpoint"],
  ["a public address without a name", { endpoint: "https://93.184.215.14/" }, "endpoint"],
  ["an IPv6 address of this machine", { endpoint: "https://[::1]/" }, "endpoint"],
  ["an IPv4 address as IPv6", { endpoint: "https://[::ffff:10.0.0.8]/" }, "endpoint"],
  ["no address", { endpoint: "push" }, "endpoint"],
  ["a long address", { endpoint: `https://push.example.com/${"x".repeat(1_000)}` }, "endpoint"],
  ["a key that is no point of the curve", { p256dh: "B".repeat(87) }, "p256dh"],
  ["a short key", { p256dh: "BA" }, "p256dh"],
  ["a secret of another length", { auth: "short" }, "auth"],
  ["a secret that is no base64url", { auth: "++++++++++++++++++++==" }, "auth"],
  ["no message", { sessionLive: false, results: false }, "base"],
];

for (const [what, change, field] of wrong) {
  test(`a subscription with ${what} is refused, and nothing is written`, async () => {
    const { path, client, rows } = await buildSubscriber();
    const { status, body } = await save(client, path, { ...newBrowser().subscription(), ...change });
    expect(status).toBe(422);
    expect(
      Object.keys(v.parse(v.object({ errors: v.record(v.string(), v.unknown()) }), body).errors),
    ).toEqual([field]);
    expect(await rows()).toEqual([]);
  });
}

test("removing a subscription stops it, and a second time it is not found", async () => {
  const { path, client, rows } = await buildSubscriber();
  await save(client, path, newBrowser().subscription());
  const [{ id } = { id: 0 }] = await rows();
  expect((await client.send("DELETE", `${path}/${id}`)).status).toBe(204);
  expect(await rows()).toEqual([]);
  expect((await client.send("DELETE", `${path}/${id}`)).status).toBe(404);
});

test("signing out removes this browser's subscription, and not those of the other browsers", async () => {
  const { player, path, client, rows } = await buildSubscriber();
  const [here, elsewhere] = [newBrowser(), newBrowser()];
  await save(client, path, here.subscription());
  await save(await signedInClient(deps, server, player), path, elsewhere.subscription());
  expect((await client.send("DELETE", "/users/sign_out")).status).toBe(204);
  expect(await rows()).toMatchObject([{ endpoint: elsewhere.endpoint }]);
});

test("the settings allow one more push service, and nothing else of its host", () => {
  const setting = { serviceOrigin: "http://127.0.0.1:4000" };
  expect(isPushEndpoint("http://127.0.0.1:4000/send/1", setting)).toBe(true);
  for (const endpoint of ["http://127.0.0.1:4001/", "https://127.0.0.1:4000/", "http://localhost:4000/"])
    expect([endpoint, isPushEndpoint(endpoint, setting)]).toEqual([endpoint, false]);
});
