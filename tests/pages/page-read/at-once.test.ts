import { expect, test } from "bun:test";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { registerPlayer } from "#src/show/sessions/register-player.ts";
import { listen } from "#tests/http/listen.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, timer, signIn } = await testWorld();
const { origin } = listen(deps);

const admin = await build.admin();
const [ana, bob, cleo] = [await build.player(), await build.player(), await build.player()];
const show = await build.runningSession({ slug: "friday-derby" });
await build.session({ slug: "sunday-cup" });
for (const [index, players] of [[ana, bob, cleo], [ana, bob], [cleo]].entries()) {
  const event = await build.event("open", { sessionId: show.id, durationSeconds: 600 });
  for (const [number, { id: userId }] of players.entries())
    await build.call({ userId, eventId: event.id, side: number === 0 ? "true" : "false", wagerCents: 200 });
  if (index < 2) await timer.settle(event.id);
}
await registerPlayer(deps, { slugOrId: "sunday-cup", viewer: await viewerOf(ana), displayName: "Ana" });
await excludePlayer(deps, {
  actor: await viewerOf(admin),
  userId: bob.id,
  sessionId: null,
  reason: "Works for the show",
});

function viewerOf({ id }: BuiltUser) {
  return findViewer(db, id);
}

const viewers = await Promise.all([ana, bob, cleo, admin].map((user) => signIn(user)));
const paths = [
  "/api/v1/sessions?state=pending",
  "/api/v1/sessions?state=running&per_page=5",
  "/api/v1/calls?session_id=friday-derby",
  "/api/v1/calls",
  "/api/v1/calls?session_id=nothing-here",
  "/api/v1/transactions",
  "/api/v1/transactions?per_page=2",
  "/api/v1/scores",
  "/api/v1/scores?session_id=friday-derby",
  "/api/v1/scores/leaders",
  "/api/v1/scores/leaders?session_id=friday-derby&limit=1",
  "/api/v1/sessions/friday-derby/events?per_page=2",
  "/api/v1/sessions/friday-derby/audit",
];
const requests = paths.flatMap((path) => viewers.map((headers) => ({ path, headers })));

/** Without the moment of the answer. */
async function read({ path, headers }: (typeof requests)[number]): Promise<string> {
  const answer = await fetch(new URL(path, origin), { headers });
  const body = await answer.text();
  return `${path} ${answer.status} ${body.replaceAll(/"(serverTime|requestId)":"[^"]*"/g, "")}`;
}

test("viewers who read lists at the same moment get what each of them gets alone", async () => {
  const alone: string[] = [];
  for (const each of requests) alone.push(await read(each));
  expect(alone.filter((answer) => answer.includes(" 200 ")).length).toBeGreaterThan(requests.length / 2);
  for (let round = 0; round < 3; round += 1) {
    expect(await Promise.all(requests.map((each) => read(each)))).toEqual(alone);
  }
});
