import type { EventView } from "#src/show/events/schemas.ts";
import { apiAs, newGuestPage } from "./players.ts";
import { expect, hydrated, openLive, test } from "./support/journey.ts";
import { add, change, createSession, startSession } from "./support/own-show.ts";
import { atMoment } from "./support/page-states.ts";
import { decide } from "./support/two-device-show.ts";

/** Longer than a busy machine needs to look at it. */
const LONG_S = 600;

// tests/dry-runs/default-pace plays the default times.
test("a show may wait for results and for the host: players read what they wait for, and no time that is wrong", async () => {
  const host = await apiAs("admin");
  const session = await createSession(host, "Waiting", { lead_seconds: LONG_S, settlement_delay_seconds: 0 });
  const addLong = (title: string, fields: object = {}) =>
    add(host, session.id, title, { duration_seconds: LONG_S, ...fields });
  const rain = await addLong("Will it rain?", { true_label: "Yes" });
  const snow = await addLong("Will it snow?", { start_mode: "after_result", offset_seconds: LONG_S });
  const end = await addLong("Will it end?", { start_mode: "by_hand" });
  await startSession(host, session);
  const player = await newGuestPage();
  await openLive(player, `/sessions/${session.slug}`);
  const advance = ({ id }: EventView) => host("PUT", `/api/v1/events/${id}/advance`, { event: {} });
  const expectOnCard = async (pill: string, { title }: EventView) => {
    await expect(player.locator(".card-q")).toHaveText(title);
    await expect(player.locator(".card-meta .push")).toHaveText(pill);
  };

  // The first one opens at the start.
  await expectOnCard("Open", rain);
  await change(host, rain, { state_event: "close_event" });
  await expectOnCard("Closed", rain);
  await expect(player.getByText(/^The next question follows the result\. /)).toBeVisible();
  await player.reload();
  await expect(player.getByText(/^The next question follows the result\. /)).toBeVisible();
  await hydrated(player);
  // A result is on the card for some seconds, with the time of the next question: the clock stands until it was read.
  const standing = atMoment(Date.now());
  await standing.enter(player);
  await decide({ host }, rain, true);
  await expectOnCard("Resolved: Yes", rain);
  await expect(player.getByText(/^Next question in (?:9|1\d):\d\d$/)).toBeVisible();
  await standing.leave(player);

  await expectOnCard("Up next", snow);
  await advance(snow);
  await expectOnCard("Open", snow);
  await change(host, snow, { state_event: "close_event" });
  await expect(player.getByText(/^The host opens the next question\. /)).toBeVisible();
  await decide({ host }, snow, true);
  await expect(player.getByText("The host opens the next question", { exact: true })).toBeVisible();
  await advance(end);
  await expectOnCard("Up next", end);
  await advance(end);
  await expectOnCard("Open", end);
});
