import { beforeAll, describe, expect, test } from "bun:test";
import type { Document } from "happy-dom";
import { createServer } from "#src/server.ts";
import { testWorld } from "#tests/support/world.ts";
import { all, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, type ViewerName } from "./viewers.ts";

const SHOW = "/sessions/the-show";

const { deps, build, timer, by } = await testWorld();
const { readers, users } = await buildViewers(deps, createServer(deps));
const { player } = users;
const rival = await build.player();
const session = await build.runningSession({ slug: "the-show", name: "The Show" });

async function open(name: ViewerName, path: string): Promise<Document> {
  const { status, html } = await readers[name].open(path);
  expect([path, status]).toEqual([path, 200]);
  return parsePage(html);
}

/** An open event with a dollar of the player on one side and a dollar of the rival on the other. */
async function buildContest(title: string, side: "true" | "false" = "true") {
  const event = await build.event("open", { sessionId: session.id, title });
  await build.call({ userId: player.id, eventId: event.id, side });
  await build.call({ userId: rival.id, eventId: event.id, side: side === "true" ? "false" : "true" });
  return event;
}

describe("after the results of three events", () => {
  beforeAll(async () => {
    for (const [title, side] of [
      ["First?", "true"],
      ["Second?", "false"],
      ["Third?", "true"],
    ] as const) {
      const event = await buildContest(title, side);
      await timer.settle(event.id);
    }
  });

  test.each(["/leaderboard", `${SHOW}/leaders`])(
    "%s counts the events in the columns Won and Lost",
    async (path) => {
      const page = await open("admin", path);
      const heads = textsOf(page, ".scores table th");
      const row = all(page, ".scores tbody tr").find((each) => each.textContent.includes(player.username));
      const cells = row === undefined ? [] : textsOf(row, "td");
      expect({ Won: cells[heads.indexOf("Won")], Lost: cells[heads.indexOf("Lost")] }).toEqual({
        Won: "2",
        Lost: "1",
      });
    },
  );
});

test("a result that is not paid yet says what it means for the player's call, and to others no more than the result", async () => {
  const { id: sessionId } = await build.runningSession({
    slug: "soon-paid",
    settings: { settlementDelaySeconds: 600 },
  });
  const { id: eventId } = await build.event("open", { sessionId, trueLabel: "Goal" });
  await build.call({ userId: player.id, eventId, side: "true" });
  await build.call({ userId: rival.id, eventId, side: "false" });
  await timer.close(eventId);
  await by({ id: users.admin.id }).resolve(eventId);
  const words = async (name: ViewerName) =>
    textsOf(await open(name, "/sessions/soon-paid"), "main article .say")[0];
  expect(await words("player")).toMatch(
    /^You called it\.\s?Result: Goal, pays in (10:00|9:\d\d)\. Until then the host may change it\.$/,
  );
  expect(await words("operator")).toMatch(/^Result: Goal, pays in .*Until then the host may change it\.$/);
});
