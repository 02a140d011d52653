import { type Browser, expect, type Page } from "playwright/test";
import type { EventView } from "#src/events/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { signedIn } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { test } from "./support/journey.ts";
import { hydrated } from "./support/write-blueprint.ts";

const projector = { viewport: { width: 1920, height: 1080 } };

test("a projector without a sign-in and a stream's overlay follow the show, and say when they are not connected", async ({
  browser,
  baseURL,
}) => {
  const admin = await signedIn(browser, "admin", { viewport: { width: 1280, height: 720 } });
  const host = apiOf(admin.context(), String(baseURL));
  const { session } = await host<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `On the wall ${Date.now()}`, settings: { settlement_delay_seconds: 0 } },
  });
  const later = { session_id: session.id, title: "Later?", start_mode: "offset", offset_seconds: 3_600 };
  await host("POST", "/api/v1/events", { event: later });
  const path = `/sessions/${session.slug}`;
  const wall = await openWall(browser);
  // Not live yet.
  expect((await wall.goto(`${path}/stage`))?.status()).toBe(404);
  const started = await host<{ session: SessionView }>("PUT", `/api/v1${path}/start`);
  // The active flag belongs to the demo's rehearsals.
  if (started.session.active) await host("PUT", `/api/v1${path}/deactivate`);

  expect((await wall.goto(`${path}/stage`))?.status()).toBe(200);
  await hydrated(wall);
  const viewer = await openWall(browser);
  await viewer.goto(path);
  await admin.goto(`${path}/stage?overlay=1&chat=0`);
  await hydrated(admin);
  expect(await groundsOf(admin)).toEqual(["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"]);
  await expect(admin.locator("button, a, input")).toHaveCount(0);

  const title = "Rain before ten?";
  const event = { session_id: session.id, title, duration_seconds: 1_200, ask: true, true_label: "Wet" };
  const asked = await host<{ event: EventView }>("POST", "/api/v1/events", { event });
  for (const page of [wall, admin, viewer]) {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.getByText("Open", { exact: true })).toBeVisible();
  }

  await wall.context().setOffline(true);
  await expect(wall.getByRole("status").getByText(/^No connection\. This is how it was at/)).toBeVisible();
  const state = `/api/v1/events/${asked.event.id}/state`;
  await host("PATCH", state, { event: { state_event: "resolve", result: true } });
  await expect(admin.locator(".stage-result")).toContainText("Wet");
  await expect(wall.getByText("Open", { exact: true })).toHaveCount(0);
  await wall.context().setOffline(false);
  await expect(wall.locator(".stage-result, .podium").first()).toBeVisible();
  await expect(wall.getByText(/^No connection/)).toHaveCount(0);

  await host("PUT", `/api/v1${path}/stop`);
  await expect(wall.getByRole("heading", { name: "The first three" })).toBeVisible();
  for (const page of [wall, admin, viewer]) await page.context().close();
});

async function openWall(browser: Browser): Promise<Page> {
  return (await browser.newContext(projector)).newPage();
}

/** The colours behind the page. */
function groundsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor),
  );
}
