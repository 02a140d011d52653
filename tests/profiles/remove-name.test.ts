import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { removedNames, users } from "#db/schema/users.ts";
import { chatStream, sessionStream } from "#src/base/streams/broadcast.ts";
import { stageAnswer } from "#src/show/stage/schemas.ts";
import { place, Relays } from "#tests/live/relay/relays.ts";
import { Person, userIn } from "#tests/people/users/person.ts";
import { auditOf, buildMessage } from "#tests/play/chat/fixtures.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { type BuiltUser, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, server, db, build, read, signedIn, set } = await testWorld();
const relays = await Relays.open(deps);
afterFile(() => relays.listener.stop());
afterTest(() => relays.stop());
const [host, asHost] = await signedIn.admin();

const remove = (id: number, user?: object) =>
  asHost.send("PUT", `/api/v1/users/${id}/remove_name`, user === undefined ? undefined : { user });
const rowOf = async (id: number) => {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
};

async function buildNamed(username: string): Promise<BuiltUser> {
  const player = await build.player();
  await db.update(users).set({ username }).where(eq(users.id, player.id));
  return { ...player, username };
}

/** A new browser that plays as a guest with a name and a face. */
async function comeIn(username: string): Promise<{ person: Person; answer: Response }> {
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  return {
    person,
    answer: await person.send("POST", "/users/guest", { body: { user: { username, face: 3 } } }),
  };
}

test("a host takes a guest's name and face with one request: everywhere, told, audited, and for good", async () => {
  const { person, answer } = await comeIn("Awful_Name");
  const { id } = await userIn(answer);
  const { status, body } = await remove(id, { reason: "An insult" });
  expect(status).toBe(200);
  expect(body).toMatchObject({ user: { username: `guest_${id}`, avatar: { default: null } } });
  expect(await auditOf(deps, id)).toMatchObject([
    {
      actorId: host.id,
      action: "remove_name",
      reason: "An insult",
      before: { username: "Awful_Name" },
      after: { username: `guest_${id}` },
    },
  ]);
  expect(await read.told(id)).toMatchObject([
    {
      kind: "security",
      title: `A host has taken your name away. You are guest_${id} until you choose another one.`,
      url: "/guest",
    },
  ]);

  // Neither this guest nor another one gets it again; another name is fine.
  for (const username of ["Awful_Name", "awful_name", "AwfulName"]) {
    const before = await read.digest();
    const again = await person.send("PATCH", "/users/guest", { body: { user: { username } } });
    expect([again.status, await again.json()]).toMatchObject([
      422,
      { errors: { username: ["was taken away by a host"] } },
    ]);
    expect((await comeIn(username)).answer.status).toBe(422);
    expect(await read.digest()).toBe(before);
  }
  expect(
    (await person.send("PATCH", "/users/guest", { body: { user: { username: "Ada_1815" } } })).status,
  ).toBe(200);
  expect(await rowOf(id)).toMatchObject({ username: "Ada_1815" });
});

test("a name that was taken away makes no account, until an admin gives it to somebody", async () => {
  const { id } = await buildNamed("Mistaken");
  await remove(id);
  expect((await read.told(id))[0]).toMatchObject({
    url: "/profile/details",
  });
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  const password = "nine lives and a day";
  const user = { email: "m@example.test", username: "mistaken", password, password_confirmation: password };
  expect((await person.send("POST", "/users/guest_registration", { body: { user } })).status).toBe(422);
  expect(await db.$count(users, eq(users.email, user.email))).toBe(0);
  expect((await asHost.send("PATCH", `/api/v1/users/${id}`, { user: { username: "Mistaken" } })).status).toBe(
    200,
  );
  expect(await rowOf(id)).toMatchObject({ username: "Mistaken" });
});

test("only a picture is taken away where the name is neutral; a second time changes nothing", async () => {
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  const { id } = await userIn(await person.send("POST", "/users/guest", { body: { user: { face: 3 } } }));
  const names = await db.$count(removedNames);
  expect((await remove(id)).body).toMatchObject({
    user: { username: `guest_${id}`, avatar: { default: null } },
  });
  expect(await db.$count(removedNames)).toBe(names);
  expect((await read.told(id))[0]?.title).toBe(
    "A host has taken your picture away. You may choose another one.",
  );
  const before = await read.digest();
  expect((await remove(id)).status).toBe(200);
  expect(await read.digest()).toBe(before);
});

test("open pages of leaderboards, chats, big screens and the last calls hear of it", async () => {
  const web = relays.start();
  const session = await buildRunningSession(web);
  const ana = await buildNamed("Rude_Ana");
  const event = await buildEvent(web, "open", { sessionId: session.id });
  await place(web, { user: ana, eventId: event.id, side: "true" });
  await place(web, { user: await buildPlayer(web), eventId: event.id, side: "false" });
  await resolveAndPay(web, { eventId: event.id, actor: null, result: "true" });
  web.notifyRelay();
  // Leaders are broadcast some time after their facts.
  await waitFor("the leaders with the name", () =>
    relays.listener.names(sessionStream(session.id)).includes("Score/leaders"),
  );
  const messageId = await buildMessage(web, { sessionId: session.id, userId: ana.id, body: "Ha" });
  await relays.sendAndClear(web);
  await remove(ana.id);
  const username = `guest_${ana.id}`;
  web.notifyRelay();
  await waitFor("the leaders", () =>
    relays.listener.names(sessionStream(session.id)).includes("Score/leaders"),
  );
  // Which may come before the rest.
  await relays.allSent();
  const heard = relays.listener.session(session.id);
  expect(heard.find(({ sourceType }) => sourceType === "Score")).toMatchObject({
    detail: { leaders: [{ userId: ana.id, username }, {}] },
  });
  expect(heard.find(({ sourceType }) => sourceType === "Session")).toMatchObject({
    eventType: "update",
    detail: { namesChanged: true },
  });
  expect(relays.listener.names(chatStream(session.id))).toEqual(["Message/update"]);
  expect(JSON.stringify(heard)).not.toContain("Rude_Ana");
  const stage = v.parse(
    stageAnswer,
    await (await new Person(server).get(`/api/v1/sessions/${session.id}/stage`)).json(),
  );
  expect(stage.leaders[0]).toMatchObject({ username });
  expect(stage.messages).toMatchObject([{ id: messageId, username }]);
});

test("is refused for the own name, an unknown and a deleted user, and an old version, and changes nothing", async () => {
  const { id, version } = await build.player();
  await db.update(users).set({ username: "seen_otherwise" }).where(eq(users.id, id));
  const gone = await build.player();
  await set(users, gone.id, {
    email: null,
    deactivatedAt: new Date(),
    deletedAt: new Date(),
  });
  const before = await read.digest();
  expect((await remove(host.id)).status).toBe(422);
  expect((await remove(987_654)).status).toBe(404);
  expect((await remove(gone.id)).status).toBe(422);
  const stale = await asHost.send("PUT", `/api/v1/users/${id}/remove_name`, undefined, {
    "if-match": `"${version}"`,
  });
  expect(stale.status).toBe(409);
  expect(await read.digest()).toBe(before);
});
