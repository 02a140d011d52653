import { expect, test } from "bun:test";
import { and, eq, inArray } from "drizzle-orm";
import * as v from "valibot";
import { registrations, removedPlayers, sessions } from "#db/schema/sessions.ts";
import { signIns, users } from "#db/schema/users.ts";
import { rates } from "#src/http/rates.ts";
import { healthAnswer } from "#src/operate/health/schemas.ts";
import { joinedAnswer, wavesAnswer } from "#src/show/join-codes/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { listen } from "#tests/http/listen.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, read, client, unchanged, runClock } = await testWorld({
  RATE_LIMITS: "on",
  TRUSTED_PROXIES: "127.0.0.0/8",
});
const { comeFrom } = listen(deps);
const host = await client(await build.admin());

/** A new browser at this address enters by the code of a session. */
const enter = async (address: string, { joinCode: code }: SessionRow, more = {}) => {
  const person = comeFrom(address);
  await person.get("/api/v1/users/me");
  const answer = await person.send("POST", "/api/v1/joins", { body: { join: { code, ...more } } });
  const body: unknown = await answer.json();
  const joined = answer.status === 201 ? v.parse(joinedAnswer, body).user : { id: 0, username: "" };
  return { person, answer, body, ...joined };
};
const registeredIn = async ({ id }: SessionRow) => {
  const mine = eq(registrations.sessionId, id);
  const rows = await db
    .select({ userId: registrations.userId, team: registrations.team })
    .from(registrations)
    .where(mine);
  return rows.toSorted((one, other) => one.userId - other.userId);
};
const actsOn = async ({ id }: SessionRow) =>
  (await read.audit({ sessionId: id })).map(({ action, after }) => ({ action, after }));

const lock = ({ slug }: SessionRow, locked: boolean) =>
  host.send("PATCH", `/api/v1/sessions/${slug}`, { session: { settings: { locked } } });

test("a locked room keeps who is in, and refuses who comes by code, page, team or call, with the reason; nothing changes; unlocked it is open", async () => {
  const { session: show, event } = await build.openShow(
    { durationSeconds: 600 },
    { settings: { teams: ["Foxes", "Owls"] } },
  );
  const { id: spotId } = (await read.spots(event.id)).true;
  const [inside, outside] = [await build.player(), await build.player()];
  const [member, stranger] = [await client(inside), await client(outside)];
  const call = { call: { spotId, wager: 1 } };
  const path = `/api/v1/sessions/${show.slug}`;
  const join = { join: { code: show.joinCode } };
  expect((await member.send("POST", "/api/v1/joins", join)).status).toBe(201);
  expect((await lock(show, true)).status).toBe(200);

  expect((await member.send("POST", "/api/v1/calls", call)).status).toBe(201);
  expect((await member.send("POST", "/api/v1/joins", join)).status).toBe(200);
  const locked = {
    status: 403,
    body: { code: "locked", error: expect.stringContaining("has locked the room") },
  };
  const tries = [
    () => stranger.send("POST", "/api/v1/joins", join),
    () => stranger.send("POST", `${path}/registrations`),
    () => stranger.send("PUT", `${path}/team`, { team: { number: 1 } }),
  ];
  for (const attempt of tries) expect(await unchanged(attempt)).toMatchObject(locked);
  expect(await unchanged(() => stranger.send("POST", "/api/v1/calls", call))).toMatchObject({
    status: 422,
    body: { code: "locked", detail: expect.stringContaining("has locked the room") },
  });
  const guests = await db.$count(users);
  expect((await enter("198.51.100.7", show)).body).toMatchObject({ code: "locked" });
  expect(await db.$count(users)).toBe(guests);
  const admin = await client(await build.admin());
  expect((await admin.send("POST", "/api/v1/calls", call)).status).toBe(201);

  await lock(show, false);
  expect((await stranger.send("POST", "/api/v1/calls", call)).status).toBe(201);
  expect((await registeredIn(show)).map(({ userId }) => userId)).toContain(outside.id);
});

const waves = ({ slug }: SessionRow) => host.read(`/api/v1/sessions/${slug}/waves`, wavesAnswer);
const remove = (
  { slug }: SessionRow,
  { network = "", until }: { network?: string | undefined; until: string },
) => host.send("DELETE", `/api/v1/sessions/${slug}/waves/${network}?until=${until}`);

/** A show with two guests of one network, five of another, and a host who came from there too. */
async function buildWave() {
  const show = await build.runningSession({ settings: { teams: ["Foxes", "Owls"] } });
  const pub = [await enter("192.0.2.1", show), await enter("192.0.2.1", show)];
  const bots = [];
  // One household, whatever the rest of its addresses is.
  for (let index = 1; index <= 5; index += 1) bots.push(await enter(`2001:db8:7:1::${index}`, show));
  const boss = await build.admin();
  await db.insert(registrations).values({ sessionId: show.id, userId: boss.id, displayName: "Boss" });
  await db.insert(signIns).values({
    userId: boss.id,
    csrfSecret: "s",
    address: "2001:db8:7:1::9",
    expiresAt: new Date(Date.now() + 60_000),
  });
  return { show, pub, bots, boss };
}

test("a wave is shown with its number and names and without an address, goes with one act and comes back with the next; both are audited", async () => {
  const { show, pub, bots, boss } = await buildWave();
  const before = await registeredIn(show);
  const shown = await waves(show);
  expect(shown.arrived.map(({ count }) => count)).toEqual([5, 2]);
  const [wave] = shown.arrived;
  expect(wave?.usernames.toSorted()).toEqual(bots.map(({ username }) => username).toSorted());
  expect(JSON.stringify(shown)).not.toContain("2001:");
  const chosen = { network: wave?.id, until: shown.meta.serverTime };

  const later = await enter("2001:db8:7:1::77", show);
  expect((await remove(show, chosen)).status).toBe(204);
  const stay = [...pub, boss, later].map((each) => each.id).toSorted((one, other) => one - other);
  expect((await registeredIn(show)).map(({ userId }) => userId)).toEqual(stay);
  const path = `/api/v1/sessions/${show.slug}`;
  expect([(await bots[0]?.person.get(path))?.status, (await pub[0]?.person.get(path))?.status]).toEqual([
    404, 200,
  ]);
  const [removal] = (await waves(show)).removed;
  expect(removal).toMatchObject({ count: 5 });
  const { id } = removal ?? { id: "" };
  expect(await host.send("PUT", `${path}/waves/${id}`)).toMatchObject({
    status: 200,
    body: { wave: { id, count: 5 } },
  });
  const back = await registeredIn(show);
  expect(back.filter(({ userId }) => userId !== later.id)).toEqual(before);
  expect((await bots[0]?.person.get(path))?.status).toBe(200);
  expect((await waves(show)).removed).toEqual([]);
  expect(await unchanged(() => host.send("PUT", `${path}/waves/${id}`))).toMatchObject({ status: 404 });
  expect((await actsOn(show)).slice(-2)).toEqual([
    { action: "remove_wave", after: { wave: id, playersCount: 5 } },
    { action: "restore_wave", after: { wave: id, playersCount: 5 } },
  ]);
});

test("a wave of longer ago, of another session or of nobody is not there, and nothing changes", async () => {
  const { show, bots } = await buildWave();
  const { arrived, meta } = await waves(show);
  const network = arrived[0]?.id;
  const other = (await buildWave()).show;
  for (const [session, wave] of [
    [other, { network, until: meta.serverTime }],
    [show, { network: "nobody", until: meta.serverTime }],
    [show, { network, until: new Date(Date.parse(meta.serverTime) - 3_600_000).toISOString() }],
  ] as const)
    expect(await unchanged(() => remove(session, wave))).toMatchObject({ status: 404 });
  await runClock({ aheadMs: 11 * 60_000 });
  expect((await waves(show)).arrived).toEqual([]);
  expect(await unchanged(() => remove(show, { network, until: meta.serverTime }))).toMatchObject({
    status: 404,
  });
  await runClock();
  const ids = bots.map(({ id }) => id);
  expect(await db.$count(removedPlayers, inArray(removedPlayers.userId, ids))).toBe(0);
});

const heldIn = async ({ slug }: SessionRow) =>
  (await host.read(`/api/v1/sessions/${slug}/health`, healthAnswer)).health.door.held;
/** As if so many had come in from an address within the window of a limit. */
const cameAlready = (rate: string, address: string, times: number, withinS: number) =>
  deps.redis.set(`rate:${rate}:address:${address}`, times, "EX", withinS);

test("the brake of the door lets 300 within two minutes in, and the host is told nothing", async () => {
  const [show, address] = [await build.runningSession(), "203.0.113.50"];
  await cameAlready("enter", address, 299, 120);
  expect((await enter(address, show)).answer.status).toBe(201);
  expect(await heldIn(show)).toBe(0);
});

test("the brake of the door holds most of 500 within 5 s back for some seconds, makes no guest of them, and tells the host; other networks come in", async () => {
  const [show, address] = [await build.runningSession(), "203.0.113.51"];
  const burstMax = rates.enterBurst.perAddress({ guestsPerAddress: deps.env.guestsPerAddress });
  await cameAlready("enter-burst", address, burstMax - 10, 5);
  const guests = await db.$count(users);
  const all = await Promise.all(Array.from({ length: 30 }, () => enter(address, show)));
  const held = all.filter(({ answer }) => answer.status === 429);
  expect(held.length).toBeGreaterThanOrEqual(20);
  expect(await db.$count(users)).toBe(guests + all.length - held.length);
  for (const { answer, body } of held) {
    expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(5);
    expect(body).toMatchObject({
      error: expect.stringContaining("Many come in at once from your network"),
    });
  }
  expect(await heldIn(show)).toBe(held.length);
  expect((await enter("203.0.113.52", show)).answer.status).toBe(201);
});

test("the brake of the door does not hold up who is in already", async () => {
  const [show, address] = [await build.runningSession(), "203.0.113.53"];
  const { person } = await enter(address, show);
  await cameAlready("enter-burst", address, 10_000, 5);
  const again = await person.send("POST", "/api/v1/joins", { body: { join: { code: show.joinCode } } });
  expect(again.status).toBe(200);
});

const GIVEN = /^[A-Z][a-z]+ [A-Z][a-z]+ \d+$/;

test("a new guest gets a name, whatever was typed, by the code and where players are sent", async () => {
  const show = await build.runningSession({ settings: { givenNames: true } });
  const { username, answer } = await enter("203.0.113.60", show, { username: "RudeName" });
  expect(answer.status).toBe(201);
  expect(username).toMatch(GIVEN);
  const names = await Promise.all(Array.from({ length: 12 }, () => enter("203.0.113.61", show)));
  expect(new Set(names.map((each) => each.username)).size).toBe(12);

  await db.update(sessions).set({ active: false });
  await db.update(sessions).set({ active: true }).where(eq(sessions.id, show.id));
  const person = comeFrom("203.0.113.62");
  await person.get("/api/v1/users/me");
  const played = await person.send("POST", "/users/guest", { body: { user: { username: "RudeName" } } });
  expect(await played.json()).toMatchObject({ user: { username: expect.stringMatching(GIVEN) } });
  expect(await db.$count(users, and(eq(users.username, "RudeName")))).toBe(0);
});

test("a guest keeps the given name until the show is over, and may choose another face", async () => {
  const show = await build.runningSession({ settings: { givenNames: true } });
  const { person, username } = await enter("203.0.113.64", show);
  const rename = (name: string) =>
    person.send("PATCH", "/users/guest", { body: { user: { username: name, face: 3 } } });
  const refused = await rename("RudeName");
  expect([refused.status, await refused.json()]).toEqual([
    422,
    expect.objectContaining({ errors: { username: ["is given in this show"] } }),
  ]);
  expect((await rename(username)).status).toBe(200);
  await timer.stop(show.id);
  expect((await rename("MyOwnName")).status).toBe(200);
});

test("an account keeps its own name, and elsewhere guests choose theirs", async () => {
  const [show, other] = [
    await build.runningSession({ settings: { givenNames: true } }),
    await build.runningSession(),
  ];
  const player = await build.player();
  await (await client(player)).send("POST", "/api/v1/joins", { join: { code: show.joinCode } });
  expect(await registeredIn(show)).toMatchObject([{ userId: player.id }]);
  expect((await enter("203.0.113.63", other, { username: "Zoe_own" })).username).toBe("Zoe_own");
});
