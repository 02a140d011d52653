import { expect, test } from "bun:test";
import * as v from "valibot";
import { type SwitchName, switchNames } from "#db/lists/switches.ts";
import { switchedOff } from "#db/schema/site.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { paymentAnswer } from "#src/money/payments/schemas.ts";
import { switchesAnswer } from "#src/operate/switches/schemas.ts";
import { createServer } from "#src/server.ts";
import { joinCodeAnswer } from "#src/show/join-codes/schemas.ts";
import { buildSignedIn, startCableServer } from "#tests/live/cable/cable-server.ts";
import { Client, sessionChannel } from "#tests/live/cable/client.ts";
import { buildStaff } from "#tests/operate/operations/staff.ts";
import { Reader, readerFor } from "#tests/pages/ssr/browser.ts";
import { announce, announcementOf, PNG_BYTES, sendBytes, upload } from "#tests/people/storage/uploads.ts";
import { openBrowser, userIn } from "#tests/people/users/person.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { asApplication } from "#tests/support/application.ts";
import { only } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, read, unchanged } = await testWorld({ RATE_LIMITS: "off" });
const server = createServer(asApplication(deps));
const { admin, operator, player, postForm } = await buildStaff(deps, server);
const signedIn = async () => {
  const user = await build.player();
  return [user, await signedInClient(deps, server, user)] as const;
};
afterTest(() => db.delete(switchedOff));

/** Another process: its own connections, and nothing of this one. */
const other = asApplication(deps);
const elsewhere = createServer(other);

const PATH = "/api/v1/switches";
const turn = (name: string, on: boolean, reason?: string) =>
  admin.send("PUT", `${PATH}/${name}`, { body: { switch: { on, reason } } });
const off = async (name: SwitchName) => expect((await turn(name, false)).status).toBe(200);
const stateOf = async (name: SwitchName) =>
  only(
    v
      .parse(switchesAnswer, await (await admin.get(PATH)).json())
      .switches.filter((each) => each.name === name),
  );
/** What a refusal of the switch says. */
const refusal = (sentence: string) => ({
  status: 403,
  body: { code: "switched_off", error: expect.stringContaining(sentence) },
});
const bodyOf = async (response: Response) => ({ status: response.status, body: await response.json() });

test("all is on at first, pages say nothing of it, and only admins see and change switches", async () => {
  for (const name of switchNames)
    expect(await stateOf(name)).toEqual({ name, on: true, offSince: null, setting: null });
  expect((await new Reader(server).open("/users/sign_in")).html).not.toContain("data-closed");
  await unchanged(async () => {
    for (const person of [operator, player]) {
      expect((await person.get(PATH)).status).toBe(403);
      const body = { switch: { on: false } };
      expect((await person.send("PUT", `${PATH}/chat`, { body })).status).toBe(403);
    }
    expect((await turn("everything", false)).status).toBe(404);
    expect((await turn("chat", true)).status).toBe(200);
  });
  expect((await operator.get("/admin", { accept: "text/html" })).status).toBe(200);
});

test("turned off and on is in the audit with who, from, to and why, once, and under what has happened", async () => {
  await Promise.all([turn("guests", false, "A raid"), turn("guests", false, "A raid")]);
  expect(await stateOf("guests")).toMatchObject({ on: false, offSince: expect.any(String) });
  await turn("guests", true);
  const lines = await read.audit({ subjectType: "switch" });
  expect(lines).toMatchObject([
    { action: "turn_off", before: { name: "guests", on: true }, after: { on: false }, reason: "A raid" },
    { action: "turn_on", before: { name: "guests", on: false }, after: { on: true }, reason: null },
  ]);
  expect(new Set(lines.map(({ actorId }) => actorId))).toEqual(
    new Set([(await userIn(await admin.get("/api/v1/users/me"))).id]),
  );
  const page = await (await admin.get("/admin", { accept: "text/html" })).text();
  expect(page).toContain("“Guests” was turned off for the whole site");
});

test("the page of operations turns them off and on without JavaScript, and shows operators none", async () => {
  await admin.get("/admin", { accept: "text/html" });
  await postForm(admin, { intent: "turn_off", switch: "chat", reason: "Too loud" });
  expect(await stateOf("chat")).toMatchObject({ on: false });
  expect(await read.lastAudit()).toMatchObject({ action: "turn_off", reason: "Too loud" });
  expect(await (await admin.get("/admin", { accept: "text/html" })).text()).toContain("Off since");
  expect(await (await operator.get("/admin", { accept: "text/html" })).text()).not.toContain("switch-chat");
  await operator.get("/admin", { accept: "text/html" });
  expect((await unchanged(() => postForm(operator, { intent: "turn_on", switch: "chat" }))).status).toBe(403);
  await postForm(admin, { intent: "turn_on", switch: "chat" });
  expect(await stateOf("chat")).toMatchObject({ on: true });
});

test("a setting wins over its switch, which says so and cannot be changed", async () => {
  const env = { ...deps.env, registration: "off", payments: { provider: "none" } } as const;
  const closed = createServer({ ...other, env });
  const person = await openBrowser(closed);
  for (const [name, value] of admin.cookies) person.cookies.set(name, value);
  await person.get("/api/v1/users/me");
  const { body } = await bodyOf(await person.get(PATH));
  expect(body).toMatchObject({ registration: "off" });
  expect(v.parse(switchesAnswer, body).switches.filter(({ on }) => !on)).toEqual([
    { name: "registration", on: false, offSince: null, setting: "REGISTRATION" },
    { name: "payments", on: false, offSince: null, setting: "STRIPE_SECRET_KEY" },
  ]);
  const change = { body: { switch: { on: true } } };
  const answer = await unchanged(async () => bodyOf(await person.send("PUT", `${PATH}/payments`, change)));
  expect(answer).toMatchObject({ status: 409, body: { code: "by_setting" } });
});

test("payments off: no new one by the API or the page; what is open is paid and booked", async () => {
  const [owner, browser] = await signedIn();
  const pay = () => browser.send("POST", "/api/v1/payments", { payment: { amount: 3 } });
  const { payment } = v.parse(paymentAnswer, (await pay()).body);
  const before = await read.balance(owner.id);
  await off("payments");
  const reader = await readerFor(deps, elsewhere, owner);
  await unchanged(async () => {
    expect(await pay()).toMatchObject(refusal("has turned off payments"));
    const page = await reader.open("/profile/wallet");
    expect(page.html).toContain("has turned off payments");
    expect(page.html).not.toContain("Go to the checkout");
    const sent = await reader.sendForm("/profile/wallet", { amount: "3", key: "k" });
    expect(sent).toMatchObject({ status: 403 });
  });
  const path = `/api/v1/payments/${payment.reference}/test`;
  const paid = await browser.send("POST", path, { payment: { outcome: "succeeded" } });
  expect(paid.body).toMatchObject({ payment: { state: "succeeded" } });
  expect(await read.balance(owner.id)).toBe(before + 300);
});

test("chat off: no message by the API, the page or the cable; what was written can be read", async () => {
  const session = await build.session();
  const [writer, browser] = await signedIn();
  const message = { message: { session_id: session.slug, body: "Hello" } };
  expect((await browser.send("POST", "/api/v1/messages", message)).status).toBe(201);
  await off("chat");
  const says = "has turned off the chat";
  const reader = await readerFor(deps, elsewhere, writer);
  const path = `/sessions/${session.slug}/chat`;
  await unchanged(async () => {
    expect(await browser.send("POST", "/api/v1/messages", message)).toMatchObject(refusal(says));
    const page = await reader.open(path);
    expect([page.status, page.location]).toEqual([200, null]);
    expect(page.html).toContain("Hello");
    expect(page.html).toContain(says);
    expect(page.html).not.toContain("<textarea");
    const sent = await reader.sendForm(path, { body: "Again", idempotency_key: "again" });
    expect(sent).toMatchObject({ status: 403, html: expect.stringContaining(says) });
  });
  const relay = createRelay(deps);
  const cable = startCableServer({ ...other, notifyRelay: () => relay.notify() });
  const ana = await buildSignedIn(deps);
  const client = await new Client(cable.url, { origin: cable.origin, cookie: ana.cookie }).welcomed();
  const channel = sessionChannel(session.id);
  await client.follow(channel);
  await unchanged(async () => {
    client.perform(channel, "speak", { body: "By cable", client_id: "c" });
    const answer = await waitFor("the refusal", () => client.messages(channel).at(0) ?? null);
    expect(answer).toMatchObject({ eventType: "refuse", detail: { status: 403, code: "switched_off" } });
  });
  await cable.stop();
  await relay.stop();
});

test("pictures off: no upload by the API, of announced bytes, or by the page; those that are there stay", async () => {
  const [owner, browser] = await signedIn();
  const bytes = new Uint8Array(PNG_BYTES);
  const stored = await upload(server, browser, bytes);
  const announced = await announce(browser, announcementOf(bytes));
  await off("uploads");
  const says = "has turned off new pictures";
  const reader = await readerFor(deps, elsewhere, owner);
  await unchanged(async () => {
    const blob = announcementOf(bytes);
    expect(await browser.send("POST", "/api/v1/storage/direct_uploads", { blob })).toMatchObject(
      refusal(says),
    );
    expect((await sendBytes(server, announced.directUpload, bytes)).status).toBe(403);
    const page = await reader.open("/profile/avatar");
    expect(page.html).toContain(says);
    expect(page.html).not.toContain('type="file"');
    const form = new FormData();
    form.set("authenticity_token", reader.token);
    form.set("user[avatar]", new File([bytes], "me.png", { type: "image/png" }));
    const headers = { accept: "text/html", origin: "http://localhost:3000" };
    const sent = await reader.pass(
      new Request("http://localhost:3000/profile/avatar", { method: "POST", body: form, headers }),
    );
    expect([sent.status, await sent.text()]).toEqual([422, expect.stringContaining(says)]);
  });
  const kept = await server.handle(
    new Request(`http://localhost:3000/api/v1/storage/blobs/${stored.signedId}/me.png`),
  );
  expect(kept.status).toBe(200);
});

test("guests off: no new guest by the button, the API or a code, in another process too; who is in plays on", async () => {
  const show = await build.openShow();
  const code = v.parse(
    joinCodeAnswer,
    await (await admin.get(`/api/v1/sessions/${show.session.id}/join_code`)).json(),
  ).joinCode.code;
  const guest = await openBrowser(server);
  await guest.send("POST", "/users/guest");
  await off("guests");

  const says = "has turned off playing as a guest";
  for (const process of [server, elsewhere]) {
    const stranger = await openBrowser(process);
    const reader = new Reader(process);
    await unchanged(async () => {
      expect(await bodyOf(await stranger.send("POST", "/users/guest"))).toMatchObject(refusal(says));
      const join = { body: { join: { code } } };
      expect(await bodyOf(await stranger.send("POST", "/api/v1/joins", join))).toMatchObject(refusal(says));
      for (const path of ["/users/sign_in", `/join?code=${code}`, `/sessions/${show.session.slug}`]) {
        const { html } = await reader.open(path);
        expect({ path, says: html.includes(says) }).toEqual({ path, says: true });
        expect(html).not.toMatch(/>Play as guest<|>Play now</);
      }
      const play = { intent: "play", to: `/sessions/${show.session.slug}` };
      expect(await reader.sendForm("/users/sign_in", play)).toMatchObject({
        status: 403,
        html: expect.stringContaining(says),
      });
      expect((await reader.sendForm(`/join?code=${code}`, { code })).status).toBe(403);
      expect((await reader.sendForm("/users/guest", {}, { from: "/users/sign_in" })).status).toBe(403);
    });
  }
  const { true: side } = await read.spots(show.event.id);
  const call = { call: { spot_id: side.id, wager: 1 } };
  expect((await guest.send("POST", "/api/v1/calls", { body: call })).status).toBe(201);
  const join = { body: { join: { code } } };
  expect((await guest.send("POST", "/api/v1/joins", join)).status).toBeLessThan(300);
  await turn("guests", true);
  expect((await (await openBrowser(elsewhere)).send("POST", "/users/guest")).status).toBe(201);
});
