import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { PLAYERS_FOUND_MAX } from "#src/operate/health/contract.ts";
import { findPlayers } from "#src/operate/health/find-players.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build, timer } = await testWorld();
const { db } = deps.pool;
const { session: show, event: open } = await build.openShow({ durationSeconds: 600 });
const elsewhere = await build.event("open", { durationSeconds: 600 });

const find = (search: string) =>
  findPlayers(db, { slugOrId: show.slug, search, viewer: { roles: ["admin"] } });

test("a player is found with the wallet and the calls in this session", async () => {
  const { id: userId, username } = await build.player({ balanceCents: 5_000 });
  await build.call({ userId, eventId: open.id, side: "false", wagerCents: 1_200 });
  await build.call({ userId, eventId: elsewhere.id, wagerCents: 300 });
  expect(await find(username)).toEqual([
    {
      id: userId,
      username,
      guest: false,
      registered: expect.any(Boolean),
      removed: false,
      team: null,
      deactivated: false,
      available: 35,
      availableCents: 3_500,
      held: 15,
      heldCents: 1_500,
      callsCount: 1,
      calls: [
        expect.objectContaining({
          eventTitle: open.title,
          label: "False",
          side: "false",
          state: "placed",
          wagerCents: 1_200,
          payoutCents: null,
        }),
      ],
    },
  ]);
});

test("the newest three calls are listed, and all are counted but cancelled ones", async () => {
  const { id: userId, username } = await build.player();
  const calls = [];
  for (const wagerCents of [101, 102, 103, 104, 105]) {
    calls.push(await build.call({ userId, eventId: open.id, wagerCents }));
  }
  await cancelCall(deps, { callId: calls[4] ?? 0, viewer: { id: userId } });
  const [player] = await find(username);
  expect(player?.callsCount).toBe(4);
  expect(player?.calls.map(({ wagerCents }) => wagerCents)).toEqual([104, 103, 102]);
});

test("a paid call says what it paid", async () => {
  const event = await build.event("open", { sessionId: show.id, durationSeconds: 600 });
  const [winner, loser] = [await build.player(), await build.player()];
  await build.call({ userId: winner.id, eventId: event.id });
  await build.call({ userId: loser.id, eventId: event.id, side: "false" });
  await timer.settle(event.id);
  const [player] = await find(winner.username);
  expect(player?.calls[0]).toMatchObject({ outcome: "won", payout: 2, payoutCents: 200 });
});

test("whose whole name or email it is comes first, however many others have it in theirs", async () => {
  const { id, username, email } = await build.player();
  const ids = [id];
  for (let index = 0; index < PLAYERS_FOUND_MAX; index += 1) {
    const other = await build.player();
    ids.push(other.id);
    const like = { username: `${username}_${index}`, email: `${index}.${email}` };
    await db.update(users).set(like).where(eq(users.id, other.id));
  }
  const joins = ids.map((userId) => ({ userId, sessionId: show.id, displayName: "A player" }));
  await db.insert(registrations).values(joins);
  const host = { roles: [] };
  for (const search of [username, username.toUpperCase(), email ?? ""]) {
    const found = await find(search);
    expect(found).toHaveLength(PLAYERS_FOUND_MAX);
    expect(found[0]?.id).toBe(id);
  }
  const joined = await findPlayers(db, { slugOrId: show.slug, search: username, viewer: host });
  expect(joined).toHaveLength(PLAYERS_FOUND_MAX);
  expect(joined[0]?.id).toBe(id);
});
