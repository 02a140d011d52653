import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { unzipSync } from "fflate";
import * as v from "valibot";
import { queryRow, wholeNumber } from "#db/ledger/query.ts";
import { users } from "#db/schema/users.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { findScores } from "#src/play/leaderboard/find-scores.ts";
import { removePlayer } from "#src/show/join-codes/remove-player.ts";
import { downloadSheet, downloadWorkbook } from "#src/show/results-sheet/download-sheet.ts";
import { showSheet } from "#src/show/results-sheet/show-sheet.ts";
import { registerPlayer } from "#src/show/sessions/register-player.ts";
import { PASSWORD, Person } from "#tests/people/users/person.ts";
import { merging } from "#tests/profiles/merging.ts";
import { read } from "#tests/show/blueprints/plan-files/read-file.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, by, timer, build, server, refused, signedIn } = await testWorld();
const { session, host, comeIn, buildAccount, playEvent, correct, merge, expectRight } = await merging(
  deps,
  server,
);

/** All kinds of players and of questions. Nobody has called the session's first question. */
async function playSession() {
  const [ana, ben, cleo, gone] = [
    await buildAccount(),
    await build.player(),
    await build.player(),
    await buildAccount(),
  ];
  await db.update(users).set({ username: "=HYPERLINK(1)" }).where(eq(users.id, cleo.id));
  // A guest who becomes a part of Ana, and both have called the same question.
  const { person, id: guestId } = await comeIn("Lucky_Luz");
  await playEvent(guestId, ben.id);
  const shared = await build.event("open", { sessionId: session.id, title: "+1, who wins?" });
  await build.call({ userId: ana.id, eventId: shared.id, side: "false", wagerCents: 333 });
  await build.call({ userId: guestId, eventId: shared.id, side: "true", wagerCents: 101 });
  await build.call({ userId: ben.id, eventId: shared.id, side: "true", wagerCents: 102 });
  await timer.settle(shared.id);
  expect((await merge(person, ana.email)).status).toBe(200);

  const corrected = await playEvent(ana.id, cleo.id);
  await correct(corrected.id, "false");
  const voided = await playEvent(ben.id, cleo.id);
  await by(host).settle(voided.id, "void", { reason: "Rain" });
  await playUnopposed(cleo.id);
  await playOnTheHouse(ben.id);
  await playEvent(gone.id, cleo.id);
  const skipped = await build.event("open", { sessionId: session.id });
  await build.call({ userId: ana.id, eventId: skipped.id });
  await timer.skip(skipped.id);
  const waiting = await build.event("open", { sessionId: session.id });
  await build.call({ userId: ben.id, eventId: waiting.id, wagerCents: 200 });
  await timer.close(waiting.id);

  await removePlayer(deps, { sessionId: session.id, actor: host, userId: ben.id });
  const excluded = { actor: host, sessionId: session.slug, userId: cleo.id, reason: "Knew it" };
  await excludePlayer(deps, excluded);
  const leaving = new Person(server);
  await leaving.signIn(gone.email ?? "");
  const body = { user: { current_password: PASSWORD } };
  expect((await leaving.send("PUT", "/api/v1/users/me/delete", { body })).status).toBe(204);
  const idle = await build.player();
  await registerPlayer(deps, { slugOrId: session.slug, viewer: await findViewer(deps.pool.db, idle.id) });
  return { ana, ben, cleo, gone, idle, guestId, shared, corrected, voided, waiting };
}

/** Everybody is right, and nobody has lost. */
async function playUnopposed(userId: number) {
  const { id: eventId } = await build.event("open", { sessionId: session.id });
  await build.call({ userId, eventId, side: "true" });
  await timer.settle(eventId);
}

/** A player who is broke calls on the house, and wins. */
async function playOnTheHouse(otherId: number) {
  const [, browser] = await signedIn.player({ balanceCents: 30 });
  const { id: eventId } = await build.event("open", { sessionId: session.id });
  await build.call({ userId: otherId, eventId, side: "false", wagerCents: 150 });
  const spotId = (
    await queryRow(db, v.object({ id: wholeNumber }))`
      SELECT id FROM spots WHERE event_id = ${eventId} AND side = 'true'`
  ).id;
  expect((await browser.send("POST", "/api/v1/calls", { call: { spotId, on_the_house: true } })).status).toBe(
    201,
  );
  await timer.settle(eventId);
}

const played = await playSession();
const sumOf = (all: readonly (number | null)[]) => all.reduce<number>((sum, each) => sum + (each ?? 0), 0);

test("the sheet agrees with the leaderboard, the ledger and itself to the cent", async () => {
  const { players, questions } = await showSheet(deps, session.slug);
  const { ana, ben, cleo, gone, idle, guestId } = played;

  const { scores } = await findScores(deps, { sessionId: session.id, limit: 100, offset: 0 });
  const ranked = players.filter(({ rank }) => rank !== null);
  expect(
    ranked.map(({ userId, rank, won, lost, netCents }) => ({ userId, rank, won, lost, netCents })),
  ).toEqual(
    scores.map(({ userId, rank, wins: won, losses: lost, netCents }) => ({
      userId,
      rank,
      won,
      lost,
      netCents,
    })),
  );
  const of = (id: number) => players.find(({ userId }) => userId === id);
  expect(of(cleo.id)).toMatchObject({ rank: null, lost: 1 });
  expect(of(idle.id)).toMatchObject({
    rank: null,
    won: 0,
    lost: 0,
    wageredCents: 0,
    netCents: 0,
    team: null,
  });
  expect(of(gone.id)).toMatchObject({ username: `gone_${gone.id}`, won: 1, netCents: 1_000 });
  expect(of(ben.id)).toBeDefined();
  expect(of(guestId)).toBeUndefined();
  expect(of(ana.id)?.username).toBe(ana.username);

  for (const { wageredCents, returnedCents, netCents } of players)
    expect(netCents).toBe(returnedCents - wageredCents);
  expect(sumOf(players.map(({ netCents }) => netCents))).toBe(0);
  const decided = questions.filter(({ result }) => result !== null);
  expect(decided.map(({ paidCents }) => paidCents)).toEqual(decided.map(({ poolCents }) => poolCents));
  expect(sumOf(players.map(({ won }) => won))).toBe(sumOf(questions.map(({ right }) => right)) - 1);
  const { paid } = await queryRow(db, v.object({ paid: wholeNumber }))`
    SELECT sum(c.wager_cents + b.cents) AS paid FROM events e JOIN calls c ON c.event_id = e.id AND c.round = e.round
    CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS cents FROM entries WHERE call_id = c.id) b
    WHERE e.session_id = ${session.id} AND c.state = 'resolved'`;
  expect(sumOf(decided.map(({ paidCents }) => paidCents))).toBe(paid);
  await expectRight();
});

test("a line of a question has its callers once, its pools, and who was right", async () => {
  const { questions } = await showSheet(deps, session.slug);
  const { shared, corrected, voided, waiting } = played;
  const of = (id: number) => questions.find(({ eventId }) => eventId === id);
  // Ana and the guest who is a part of her are one caller.
  expect(of(shared.id)).toMatchObject({
    callers: 2,
    truePoolCents: 203,
    falsePoolCents: 333,
    poolCents: 536,
  });
  expect(of(corrected.id)).toMatchObject({ result: "false", callers: 2, right: 1, paidCents: 2_000 });
  expect(of(voided.id)).toMatchObject({ result: "void", callers: 2, right: null, paidCents: 2_000 });
  expect(of(waiting.id)).toMatchObject({
    state: "closed",
    result: null,
    callers: 1,
    right: null,
    paid: null,
  });
  expect(of(waiting.id)?.closedAt).toEndWith("Z");
});

test("the CSV files have stable columns, plain numbers and no formula", async () => {
  const read = async (table: "players" | "questions") => {
    const answer = await downloadSheet(deps, session.slug, { table });
    const bytes = await answer.bytes();
    expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
    return new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  };
  const [players, questions] = [await read("players"), await read("questions")];
  const sheet = await showSheet(deps, session.slug);
  expect(players[0]).toBe("rank,player,team,won,lost,wagered,returned,net");
  expect(players).toHaveLength(sheet.players.length + 1);
  expect(players.join("\n")).toContain(",'=HYPERLINK(1),,");
  expect(players.find((line) => line.includes("HYPERLINK"))).toMatch(/,-?\d+(\.\d+)?$/);
  expect(questions[0]).toBe(
    "position,question,true_label,false_label,state,result,opened_at,closed_at,resolved_at,callers,true_pool,false_pool,pool,paid,right,explanation",
  );
  expect(questions).toHaveLength(sheet.questions.length + 1);
  expect(questions.join("\n")).toContain(`"'+1, who wins?"`);
  expect(questions.join("\n")).toContain(",2,2.03,3.33,5.36,5.36,");
});

test("the workbook has the tables of the CSV files: numbers are numbers, and a text is a text", async () => {
  const answer = await downloadWorkbook(deps, session.slug);
  expect(answer.headers.get("content-disposition")).toBe(
    `attachment; filename="called-it-results-${session.slug}.xlsx"`,
  );
  const bytes = await answer.bytes();
  const sheet = await showSheet(deps, session.slug);
  for (const [name, rows] of [
    [
      "Players",
      sheet.players.map((each) => [
        each.rank,
        each.username,
        each.team,
        each.won,
        each.lost,
        each.wagered,
        each.returned,
        each.net,
      ]),
    ],
    ["Questions", sheet.questions.map((each) => [each.position, each.question, each.trueLabel])],
  ] as const) {
    const lines = (await read(bytes, { readAs: name })).text.split("\n").slice(1);
    expect(lines.map((line) => line.split("\t").slice(0, rows[0]?.length))).toEqual(
      rows.map((cells) => cells.map((cell) => String(cell ?? ""))),
    );
  }
  const xml = new TextDecoder().decode(unzipSync(bytes)["xl/worksheets/sheet1.xml"]);
  expect(xml).toContain('<c t="inlineStr"><is><t xml:space="preserve">=HYPERLINK(1)</t></is></c>');
  const nets = Array.from(xml.matchAll(/<v>(-?[\d.]+)<\/v><\/c><\/row>/g), ([, net]) =>
    Math.round(Number(net) * 100),
  );
  expect(nets).toEqual(sheet.players.map(({ netCents }) => netCents));
  expect(sumOf(nets)).toBe(0);
  expect(await refused(() => downloadWorkbook(deps, "no-such-session"))).toMatchObject({ status: 404 });
});

test("a session that has not begun has an empty sheet, and an unknown one gets 404", async () => {
  const planned = await build.session();
  await build.draft({ sessionId: planned.id });
  expect(await showSheet(deps, planned.slug)).toMatchObject({
    players: [],
    questions: [{ state: "draft", callers: 0, poolCents: 0, paid: null }],
  });
  expect(await refused(() => showSheet(deps, "no-such-session"))).toMatchObject({ status: 404 });
});
