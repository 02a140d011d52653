import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import type { FrontDoor } from "#src/show/front-door/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, timer, build, server } = await testWorld();

async function frontDoor(): Promise<FrontDoor> {
  const response = await server.handle(new Request("http://localhost:3000/api/v1/front_door"));
  expect(response.status).toBe(200);
  const { frontDoor: door }: { frontDoor: FrontDoor } = await response.json();
  return door;
}

test("everybody sees the live question, its clock and its pool, and what a guest starts with; and then the next one", async () => {
  expect(await frontDoor()).toMatchObject({ live: null, next: null, guestGrantCents: 10_000 });

  const planned = await build.session({ slug: "late-show", name: "Late show" });
  const startsAt = new Date(Date.now() + 3_600_000);
  await db.update(sessions).set({ startsAt }).where(eq(sessions.id, planned.id));
  // Without a time nobody knows that it comes.
  await build.session({ slug: "draft-show", name: "Draft show" });
  const next = { id: planned.id, slug: "late-show", name: "Late show", startsAt: startsAt.toISOString() };
  expect(await frontDoor()).toMatchObject({ live: null, next });

  const show = await build.runningSession({ slug: "the-show", name: "The Show" });
  expect((await frontDoor()).live).toEqual({
    slug: "the-show",
    name: "The Show",
    givenNames: false,
    paused: false,
    event: null,
  });

  await build.event("draft", { sessionId: show.id, title: "Secret?" });
  await build.event("hidden", { sessionId: show.id, title: "Hidden?" });
  const coming = await build.event("visible", { sessionId: show.id, title: "Who scores?" });
  expect((await frontDoor()).live?.event).toMatchObject({ id: coming.id, state: "visible" });

  await timer.open(coming.id);
  const player = await build.player();
  await build.call({ userId: player.id, eventId: coming.id, side: "false", wagerCents: 300 });
  const open = await frontDoor();
  expect(open.live?.event).toMatchObject({
    title: "Who scores?",
    trueLabel: "True",
    state: "open",
    callsCount: 1,
    pool: { trueCents: 0, falseCents: 300, totalCents: 300 },
  });
  expect(Date.parse(open.live?.event?.closesAt ?? "")).toBeGreaterThan(Date.parse(open.serverTime));
  // Nothing about those who play.
  expect(JSON.stringify(open)).not.toContain(player.username);
  expect(JSON.stringify(open)).not.toMatch(/Secret|Hidden|Draft show/);

  await timer.pause(show.id);
  expect((await frontDoor()).live?.paused).toBe(true);
  await timer.skip(coming.id);
  expect((await frontDoor()).live?.event).toBeNull();
  await timer.stop(show.id);
  expect(await frontDoor()).toMatchObject({ live: null, next });
});
