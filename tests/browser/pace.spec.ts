import { type Browser, expect, type Page } from "playwright/test";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiAs, phone } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { test } from "./support/journey.ts";
import { change, startSession } from "./support/own-show.ts";
import { atMoment } from "./support/page-states.ts";
import { hydrated } from "./support/page.ts";
import { decide } from "./support/two-device-show.ts";

/** Longer than a busy machine needs to look at it. */
const LONG_S = 600;

// tests/dry-runs/default-pace plays the default times.
test("a show may wait for results and for the host: players read what they wait for, and no time that is wrong", async ({
  browser,
  baseURL,
}) => {
  const origin = String(baseURL);
  const host = await apiAs(browser, origin, "admin");
  const { session } = await host<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: {
      name: `Waiting ${Date.now()}`,
      settings: { lead_seconds: LONG_S, settlement_delay_seconds: 0 },
    },
  });
  const add = async (title: string, fields: object = {}) => {
    const event = { session_id: session.id, duration_seconds: LONG_S, title, ...fields };
    return (await host<{ event: EventView }>("POST", "/api/v1/events", { event })).event;
  };
  const rain = await add("Will it rain?", { true_label: "Yes" });
  const snow = await add("Will it snow?", { start_mode: "after_result", offset_seconds: LONG_S });
  const end = await add("Will it end?", { start_mode: "by_hand" });
  await startSession(host, session);
  const player = await playAsGuest(browser, origin, session);
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

async function playAsGuest(browser: Browser, origin: string, { slug }: SessionView): Promise<Page> {
  const context = await browser.newContext({ viewport: phone });
  await apiOf(context, origin)("POST", "/users/guest");
  const page = await context.newPage();
  await page.goto(`/sessions/${slug}`);
  await hydrated(page);
  return page;
}
