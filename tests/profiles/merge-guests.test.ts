import { expect, test } from "bun:test";
import { eq, getTableColumns, is } from "drizzle-orm";
import { PgText } from "drizzle-orm/pg-core";
import * as v from "valibot";
import { exclusions } from "#db/schema/exclusions.ts";
import { registrations, removedPlayers, sessions } from "#db/schema/sessions.ts";
import { signIns, users } from "#db/schema/users.ts";
import { callsAnswer } from "#src/play/calls/schemas.ts";
import { findTeams } from "#src/play/teams/find-teams.ts";
import { sweepMergedGuests } from "#src/profiles/merge-user.ts";
import { Reader, readerFor } from "#tests/pages/ssr/browser.ts";
import { givePassword, PASSWORD, Person, userIn } from "#tests/people/users/person.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { merging } from "./merging.ts";

const { deps, db, server, build, read, client, set, timer } = await testWorld();
const { session, host, comeIn, buildAccount, playEvent, correct, merge, balanceOf, expectRight } =
  await merging(deps, server);

async function json(answer: Promise<Response>): Promise<unknown> {
  return (await answer).json();
}

/** A merge is refused, and nothing has changed. */
async function expectRefused(answer: () => Promise<Response>, status: number, body: object): Promise<void> {
  const before = await read.digest();
  const response = await answer();
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject(body);
  expect(await read.digest()).toBe(before);
}

test("who signs in as a guest who asks for it has the guest's history, results, rank and winnings", async () => {
  const [ana, ben] = [await buildAccount(), await build.player()];
  const { person, id } = await comeIn("Lucky_Luz");
  const own = await playEvent(ana.id, ben.id);
  await playEvent(id, ben.id);
  const shared = await build.event("open", { sessionId: session.id });
  await build.call({ userId: ana.id, eventId: shared.id, side: "false", wagerCents: 300 });
  const callId = await build.call({ userId: id, eventId: shared.id, side: "true", wagerCents: 300 });
  await timer.settle(shared.id);
  const share = await person.send("POST", "/api/v1/shares", {
    body: { share: { kind: "result", targetId: callId } },
  });

  const before = await json(person.get("/api/v1/users/me"));
  expect(before).toMatchObject({ user: { wallet: { balanceCents: 11_300 } } });
  const signedIn = await merge(person, ana.email);
  expect(signedIn.status).toBe(200);
  expect(await userIn(signedIn)).toMatchObject({ id: ana.id, guest: false });

  // Ana had won 10.00 and lost 3.00. The guest has won 13.00: the play money of its start stays behind.
  expect(await balanceOf(ana.id)).toBe(12_000);
  expect(await balanceOf(id)).toBe(0);
  const me = await json(person.get("/api/v1/users/me"));
  // What both have called counts once, as two calls of one player do: they won 3.00 and lost 3.00.
  expect(me).toMatchObject({
    user: { wallet: { metrics: { won: 2, lost: 0, callsPlaced: 4 } }, sessions: [{ id: session.id }] },
  });
  const { calls } = v.parse(callsAnswer, await json(person.get("/api/v1/calls")));
  expect(calls).toHaveLength(4);
  expect(await json(person.get(`/api/v1/calls?session_id=${session.slug}&outcome=won`))).toMatchObject({
    meta: { totalCount: 3 },
  });
  const receipt = await person.get(`/api/v1/calls/${calls.find(({ eventId }) => eventId !== own.id)?.id}`);
  expect(receipt.status).toBe(200);
  expect(await json(person.get(`/api/v1/users/${ana.id}/results`))).toMatchObject({
    meta: { totalCount: 4 },
  });
  expect(await json(person.get("/api/v1/transactions"))).toMatchObject({
    transactions: expect.arrayContaining([
      expect.objectContaining({ kind: "adjustment", amountCents: 1_300, memo: "Adjustment: Won as a guest" }),
    ]),
    meta: { totalCount: 6 },
  });
  expect(await json(person.get(`/api/v1/scores?session_id=${session.slug}`))).toMatchObject({
    scores: [{ userId: ana.id, rank: 1, wins: 2 }, { userId: ben.id }],
  });
  const exported = await (await person.get("/api/v1/users/me/export.json")).text();
  expect(exported.match(/"eventTitle"/g)?.length).toBeGreaterThanOrEqual(4);
  expect(share.status).toBe(201);
  expect(await json(person.get("/api/v1/shares"))).toMatchObject({ shares: [{ kind: "result" }] });
  await expectRight();
});

test("the guest is gone then: its browser is the account's, its name is free, and the audit says so", async () => {
  const ana = await buildAccount();
  const { person, id } = await comeIn("Lucky_Lou");
  expect((await merge(person, ana.email)).status).toBe(200);
  expect((await read.row(signIns, eq(signIns.userId, id))).endedAt).not.toBeNull();
  expect((await comeIn("Lucky_Lou")).id).toBeGreaterThan(id);
  const line = only(await read.audit({ action: "merge_guest", subjectId: id }));
  expect(line).toMatchObject({ actorId: ana.id, after: { mergedInto: ana.id } });
  await expectRight();
});

test("the team of a guest becomes the account's, unless the account has one in that session", async () => {
  const settings = { settlementDelaySeconds: 0, teams: ["Foxes", "Owls", "Bears"] };
  await db.update(sessions).set({ settings }).where(eq(sessions.id, session.id));
  const ana = await buildAccount();
  const teamOfAna = async () => (await read.row(registrations, eq(registrations.userId, ana.id))).team;
  for (const number of [3, 2]) {
    const { person } = await comeIn();
    const chosen = { body: { team: { number } } };
    expect((await person.send("PUT", `/api/v1/sessions/${session.slug}/team`, chosen)).status).toBe(200);
    expect((await merge(person, ana.email)).status).toBe(200);
    expect(await teamOfAna()).toBe(3);
  }
  await set(sessions, session.id, { settings: { settlementDelaySeconds: 0 } });
  await expectRight();
});

test("results stay with the team in which they were made: the account takes it over, or nobody is merged", async () => {
  const settings = { settlementDelaySeconds: 0, teams: ["Foxes", "Owls", "Bears"] };
  await db.update(sessions).set({ settings }).where(eq(sessions.id, session.id));
  const path = `/api/v1/sessions/${session.slug}/team`;
  const join = (userId: number, team: number) =>
    db.insert(registrations).values({ sessionId: session.id, userId, displayName: "Player", team });
  const sums = async () =>
    (await findTeams(deps, session.id)).map(({ number, netCents }) => `${number}: ${netCents}`).toSorted();
  const ben = await build.player();
  await join(ben.id, 1);
  /** A guest of the second team who has won. */
  const comeAndWin = async () => {
    const guest = await comeIn();
    await guest.person.send("PUT", path, { body: { team: { number: 2 } } });
    await playEvent(guest.id, ben.id);
    return guest;
  };
  const ana = await buildAccount();
  await join(ana.id, 3);
  const first = await comeAndWin();
  const before = await sums();
  expect((await merge(first.person, ana.email)).status).toBe(200);
  const own = eq(registrations.userId, ana.id);
  expect((await read.row(registrations, own)).team).toBe(2);
  expect(await sums()).toEqual(before);

  // Of the same team.
  const again = await comeAndWin();
  const added = await sums();
  expect((await merge(again.person, ana.email)).status).toBe(200);
  expect(await sums()).toEqual(added);

  const cleo = await buildAccount();
  await join(cleo.id, 3);
  await playEvent(cleo.id, ben.id);
  const third = await comeAndWin();
  const refusal = {
    code: "two_teams",
    detail: "What was won for a team stays with it. Sign in without the guest.",
  };
  await expectRefused(() => merge(third.person, cleo.email), 409, refusal);

  const removal = { sessionId: session.id, userId: third.id, joinCode: "ABC234", team: 2 };
  await db.delete(registrations).where(eq(registrations.userId, third.id));
  await db.insert(removedPlayers).values(removal);
  const dora = await buildAccount();
  await expectRefused(() => merge(third.person, dora.email), 409, refusal);
  await set(sessions, session.id, { settings: { settlementDelaySeconds: 0 } });
  await expectRight();
});

test("a guest that has lost brings its results and no money, and ten guests no play money", async () => {
  const [ana, ben] = [await buildAccount(), await build.player()];
  const [poor, idle] = [await comeIn(), await comeIn()];
  await playEvent(ben.id, poor.id);
  for (const { person } of [poor, idle]) expect((await merge(person, ana.email)).status).toBe(200);
  expect(await balanceOf(ana.id)).toBe(10_000);
  expect(await json(poor.person.get("/api/v1/users/me"))).toMatchObject({
    user: { wallet: { metrics: { lost: 1 } } },
  });
  expect([await balanceOf(poor.id), await balanceOf(idle.id)]).toEqual([0, 0]);
  await expectRight();
});

test("a correction after the merge reaches the account: its result at once, its money with the next sweep", async () => {
  const [ana, ben] = [await buildAccount(), await build.player()];
  const { person, id } = await comeIn();
  const won = await playEvent(id, ben.id);
  const lost = await playEvent(ben.id, id);
  const further = await playEvent(ben.id, id);
  expect((await merge(person, ana.email)).status).toBe(200);
  expect(await balanceOf(ana.id)).toBe(10_000);

  // From -10.00 to 10.00, to 30.00, and down to 10.00.
  for (const [event, result, cents] of [
    [lost, "false", 11_000],
    [further, "false", 13_000],
    [won, "false", 11_000],
  ] as const) {
    await correct(event.id, result);
    await expectRight();
    await sweepMergedGuests(deps);
    expect([await balanceOf(ana.id), await balanceOf(id)]).toEqual([cents, 0]);
    await expectRight();
  }
  expect(await json(person.get("/api/v1/users/me"))).toMatchObject({
    user: { wallet: { metrics: { won: 2, lost: 1 } }, notifications: [{}, {}, { kind: "correction" }] },
  });
  const before = await read.digest();
  await sweepMergedGuests(deps);
  expect(await read.digest()).toBe(before);
});

test("what the account has spent of it meanwhile becomes its debt when a correction takes it back", async () => {
  const [ana, ben] = [await buildAccount(), await build.player()];
  const { person, id } = await comeIn();
  const won = await playEvent(id, ben.id);
  expect((await merge(person, ana.email)).status).toBe(200);
  const spent = await build.event("open", { sessionId: session.id });
  await build.call({ userId: ana.id, eventId: spent.id, wagerCents: 10_500 });
  await correct(won.id, "false");
  await sweepMergedGuests(deps);
  expect(await read.wallet(ana.id)).toMatchObject({ availableCents: 0, heldCents: 10_500, owedCents: 500 });
  await timer.settle(spent.id, "void");
  expect(await read.wallet(ana.id)).toMatchObject({ availableCents: 10_000, owedCents: 0 });
  await expectRight();
});

test("a sign-in that cannot merge the guest says why and what to do, and changes nothing", async () => {
  const ana = await buildAccount();
  const visitor = new Person(server);
  await visitor.get("/api/v1/users/me");
  await expectRefused(() => merge(visitor, ana.email), 409, { code: "no_guest" });

  const { person, id } = await comeIn();
  const event = await build.event("open", { sessionId: session.id });
  await build.call({ userId: id, eventId: event.id });
  await expectRefused(() => merge(person, ana.email), 409, {
    code: "open_calls",
    detail: "Wait for the result or take the call back. Then try again.",
  });
  await timer.settle(event.id, "void");

  const exclusion = { userId: id, reason: "Works here", excludedById: host.id };
  await db.insert(exclusions).values(exclusion);
  await expectRefused(() => merge(person, ana.email), 409, { code: "excluded" });
  await db.delete(exclusions).where(eq(exclusions.userId, id));

  for (const other of [await comeIn(), await comeIn(), await comeIn()])
    expect((await merge(other.person, ana.email)).status).toBe(200);
  await expectRefused(() => merge(person, ana.email), 409, { code: "too_many_guests" });
  expect(await userIn(await person.get("/api/v1/users/me"))).toMatchObject({ id, guest: true });
  expect((await person.signIn(ana.email)).status).toBe(200);
  await expectRight();
});

/** The columns of the user's row that hold a text about the person, also those that are added later. The look is made of the name. */
const personal = Object.entries(getTableColumns(users))
  .filter(([name, column]) => is(column, PgText) && !["passwordHash", "usernameLook"].includes(name))
  .map(([name]) => name);

/** A signed-in player of whom each of these columns holds a text of its own, by column. */
async function buildKnown() {
  const player = await build.player();
  const texts = Object.fromEntries(personal.map((name) => [name, `own-${name.toLowerCase()}-${player.id}`]));
  await db.update(users).set(texts).where(eq(users.id, player.id));
  await givePassword(deps, player.id);
  return { id: player.id, texts, browser: await client(player) };
}

test("the export has every text of the user's row", async () => {
  const { texts, browser } = await buildKnown();
  const exported = JSON.stringify((await browser.get("/api/v1/users/me/export.json")).body);
  const missing = personal.filter((name) => !exported.includes(String(texts[name])));
  const howTo = "Add the column to src/profiles/export-account.ts.";
  expect({ missing, howTo }).toEqual({ missing: [], howTo });
});

test("the deletion of the account leaves no text of the user's row", async () => {
  const { id, texts, browser } = await buildKnown();
  const answer = await browser.send("PUT", "/api/v1/users/me/delete", {
    user: { current_password: PASSWORD },
  });
  expect(answer.status).toBe(204);
  const row = JSON.stringify(await read.row(users, id));
  const kept = personal.filter((name) => row.includes(String(texts[name])));
  const howTo = "Clear the column in src/profiles/delete-account.ts.";
  expect({ kept, howTo }).toEqual({ kept: [], howTo });
});

const asHost = await client(host);

test("an admin merges a guest into a player's account on request, audited; the player is told", async () => {
  const [ana, ben] = [await buildAccount(), await build.player()];
  const { person, id } = await comeIn();
  await playEvent(id, ben.id);
  const send = (account: string, guestId = id) =>
    asHost.send("PUT", `/api/v1/users/${guestId}/merge`, { user: { account, reason: "Asked at the desk" } });
  const expectNothing = async (
    work: Promise<{ status: number; body: unknown }>,
    status: number,
    body: object,
  ) => {
    const before = await read.digest();
    expect(await work).toMatchObject({ status, body });
    expect(await read.digest()).toBe(before);
  };
  await expectNothing(send("nobody_at_all"), 422, {
    errors: { account: ["must be the name of an account"] },
  });
  await expectNothing(send(`guest_${id}`), 422, { errors: { account: ["must be the name of an account"] } });
  await expectNothing(send(host.username), 403, { code: "forbidden" });
  await expectNothing(send(ana.username, 999_999), 404, { code: "not_found" });
  await expectNothing(send(ana.username, ben.id), 409, { code: "no_guest" });
  expect(await send(ana.username.toUpperCase())).toMatchObject({
    status: 200,
    body: { user: { id, mergedInto: ana.id, username: ana.username } },
  });
  await expectNothing(send(ana.username), 409, { code: "no_guest" });
  expect((await person.get("/api/v1/users/me")).status).toBe(401);
  expect(await balanceOf(ana.id)).toBe(11_000);
  const asAna = await client(ana);
  expect(await asAna.get("/api/v1/users/me")).toMatchObject({
    body: { user: { notifications: [{ kind: "security", body: "Asked at the desk" }] } },
  });
  for (const change of ["reactivate", "remove_name"])
    await expectNothing(asHost.send("PUT", `/api/v1/users/${id}/${change}`), 422, {
      detail: "This guest is a part of an account. Change that.",
    });
  await expectNothing(
    asHost.send("PATCH", `/api/v1/users/${id}`, { user: { username: "Other_Name" } }),
    422,
    {},
  );
  // The page of the guest leads to the account, which has the calls.
  const reader = await readerFor(deps, server, host);
  const page = await reader.open(`/users/${id}`);
  expect([page.status, page.location]).toEqual([302, `/users/${ana.id}?guest=merged`]);
  expect((await reader.open(page.location ?? "")).html).toContain("The guest is a part of this account");
  await expectRight();
});

test("a new name and the end of an account are also those of the guests that are a part of it", async () => {
  const [ana, ben] = [await buildAccount(), await build.player()];
  const { person, id } = await comeIn();
  await playEvent(id, ben.id);
  expect((await merge(person, ana.email)).status).toBe(200);
  await person.send("PATCH", `/api/v1/users/${ana.id}`, { body: { user: { username: "Renamed_Ana" } } });
  const guestRow = () => read.row(users, id);
  expect(await guestRow()).toMatchObject({ username: "Renamed_Ana", deletedAt: null });
  const deleted = await person.send("PUT", "/api/v1/users/me/delete", {
    body: { user: { current_password: PASSWORD } },
  });
  expect(deleted.status).toBe(204);
  expect(await guestRow()).toMatchObject({ username: `gone_${ana.id}`, mergedInto: ana.id });
  expect((await guestRow()).deletedAt).not.toBeNull();
  expect(await db.$count(signIns, eq(signIns.userId, id))).toBe(0);
  await expectRight();
});

test("without JavaScript: a guest ticks the box of the sign-in page; who is signed out has none", async () => {
  const [ana, ben] = [await buildAccount(), await build.player()];
  const reader = new Reader(server);
  expect((await reader.open("/users/sign_in")).html).not.toContain("merge_guest");
  const { id } = await userIn(
    await reader.send("POST", "/users/guest", { body: { user: { username: "Boxed" } } }),
  );
  await playEvent(id, ben.id);
  expect((await reader.open("/users/sign_in")).html).toContain("Make Boxed a part of my account.");
  const form = { "user[email]": String(ana.email), "user[password]": PASSWORD, "user[merge_guest]": "1" };
  const open = await build.event("open", { sessionId: session.id });
  await build.call({ userId: id, eventId: open.id });
  const refused = await reader.sendForm("/users/sign_in", form);
  expect([refused.status, refused.html]).toMatchObject([409, expect.stringContaining("Wait for the result")]);
  await timer.settle(open.id, "void");
  expect((await reader.sendForm("/users/sign_in", form)).status).toBe(302);
  expect(await balanceOf(ana.id)).toBe(11_000);
  await expectRight();
});
