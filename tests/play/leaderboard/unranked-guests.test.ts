import { expect, test } from "bun:test";
import { desc } from "drizzle-orm";
import * as v from "valibot";
import { outbox } from "#db/schema/outbox.ts";
import { shares } from "#db/schema/shares.ts";
import { users } from "#db/schema/users.ts";
import { buildLeadersMessage } from "#src/live/relay/coalesced-messages.ts";
import { compareScores } from "#src/play/leaderboard/repair-scores.ts";
import { leadersAnswer, scoresAnswer } from "#src/play/leaderboard/schemas.ts";
import { findShared } from "#src/shares/find-shared.ts";
import { readPage } from "#tests/pages/page-read/read-page.ts";
import { Person, userIn } from "#tests/people/users/person.ts";
import { only } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testWorld, type World } from "#tests/support/world.ts";

const WHY = "Guests get a rank with an account. Create yours: what you have won counts.";

/** A session in which a guest wins twice, Ana once, and Ben never. */
async function play({ build, timer, server }: World) {
  const guest = new Person(server);
  await guest.get("/api/v1/users/me");
  const { id: guestId } = await userIn(await guest.send("POST", "/users/guest"));
  const [ana, ben] = [await build.player(), await build.player()];
  const session = await build.runningSession();
  for (const winners of [[guestId, ana.id], [guestId]]) {
    const event = await build.event("open", { sessionId: session.id });
    for (const userId of [guestId, ana.id, ben.id]) {
      await build.call({ userId, eventId: event.id, side: winners.includes(userId) ? "true" : "false" });
    }
    await timer.settle(event.id);
  }
  return { guest, guestId, ana, ben, session };
}

const world = await testWorld({ RANK_GUESTS: "off" });
const { deps, db, client } = world;
const { guest, guestId, ana, ben, session } = await play(world);

/** The leaders as the API answers them from what the process knows, and as it queries them. */
const addresses = [
  `/api/v1/scores/leaders?session_id=${session.slug}`,
  `/api/v1/scores/leaders?session_id=${session.slug}&limit=50`,
  "/api/v1/scores/leaders",
];

async function leadersAt(address: string, read: (path: string) => Promise<unknown>) {
  const { leaders, ...rest } = v.parse(leadersAnswer, await read(address));
  return { leaders: leaders.map(({ userId, rank }) => [userId, rank]), ...rest };
}
const asGuest = async (path: string): Promise<unknown> => (await guest.get(path)).json();

async function expectUnranked(): Promise<void> {
  const player = await client(ana);
  const leaders = [
    [ana.id, 1],
    [ben.id, 2],
  ];
  for (const address of addresses) {
    const seen = await leadersAt(address, async (path) => (await player.get(path)).body);
    expect(seen).toMatchObject({ leaders, me: { rank: 1 }, exclusion: null, totalCount: 2 });
    expect(await leadersAt(address, asGuest)).toEqual({
      leaders,
      me: null,
      exclusion: { sessionId: null, reason: WHY },
      totalCount: 2,
    });
  }
}

/** What a link to a player's session shows. */
async function summaryOf(userId: number) {
  const token = `link-of-the-player-${userId}`;
  await db.insert(shares).values({ userId, kind: "session", sessionId: session.id, token, timeZone: "UTC" });
  return findShared(deps, token, new Date());
}

test("where guests are not ranked they are in no leaderboard, and read how to get a rank", async () => {
  await expectUnranked();
  const player = await client(ana);
  const scoresAt = async (path: string) => (await player.read(path, scoresAnswer)).scores;
  for (const query of ["", `?session_id=${session.slug}`]) {
    expect((await scoresAt(`/api/v1/scores${query}`)).map(({ userId }) => userId)).toEqual([ana.id, ben.id]);
  }
  expect(await scoresAt(`/api/v1/scores?user_id=${guestId}`)).toEqual([]);
});

test("neither pages nor live messages nor shares count them", async () => {
  const path = `/sessions/${session.slug}`;
  const ofGuest = await readPage(deps, path, await signInDirectly(deps, { id: guestId }));
  expect(ofGuest.action?.leaders).toMatchObject({ me: null, exclusion: { reason: WHY }, totalCount: 2 });
  expect(ofGuest.action?.leaders.leaders.map(({ userId }) => userId)).toEqual([ana.id, ben.id]);
  const { text } = await buildLeadersMessage(deps, session.id);
  expect(JSON.parse(text)).toMatchObject({
    detail: { leaders: [{ userId: ana.id }, { userId: ben.id }], totalCount: 2 },
  });
  expect((await summaryOf(ana.id)).summary).toMatchObject({ rank: 1, playersCount: 2 });
  expect((await summaryOf(guestId)).summary).toMatchObject({ rank: null, playersCount: 2, wins: 2 });
});

test("what they win is kept, and an account shows it at once", async () => {
  expect(await compareScores(db)).toEqual({ results: 0, scores: 0 });
  const password = "nine lives and a day";
  const account = {
    email: "winner@example.test",
    username: "winner",
    password,
    password_confirmation: "another",
  };
  const refused = await guest.send("POST", "/users/guest_registration", { body: { user: account } });
  expect(refused.status).toBe(422);
  await expectUnranked();

  const user = { ...account, password_confirmation: password };
  const registered = await guest.send("POST", "/users/guest_registration", { body: { user } });
  expect(registered.status).toBe(201);
  const fact = only(await db.select().from(outbox).orderBy(desc(outbox.id)).limit(1));
  expect(fact).toMatchObject({ kind: "leaders_changed", payload: { sessionId: session.id } });
  for (const address of addresses) {
    expect(await leadersAt(address, asGuest)).toMatchObject({
      leaders: [
        [guestId, 1],
        [ana.id, 2],
        [ben.id, 3],
      ],
      me: { username: "winner", wins: 2, currentStreak: 2, rank: 1 },
      exclusion: null,
      totalCount: 3,
    });
  }
});

test("by default guests are ranked like all players", async () => {
  const usual = await testWorld();
  const { guest: usualGuest, guestId: usualId } = await play(usual);
  const seen = await leadersAt(addresses[2] ?? "", async (path): Promise<unknown> =>
    (await usualGuest.get(path)).json(),
  );
  expect(seen).toMatchObject({ me: { userId: usualId, rank: 1 }, exclusion: null, totalCount: 3 });
  expect(await usual.db.$count(users)).toBe(3);
});
