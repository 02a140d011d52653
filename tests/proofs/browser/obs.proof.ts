import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type BrowserContext, chromium, type Page } from "playwright";
import sharp from "sharp";
import type { EventView } from "#src/show/events/schemas.ts";
import type { StageLinkAnswer } from "#src/show/stage/schemas.ts";
import { intercept } from "#tests/browser/support/page.ts";
import { type Host, openHost, PASSWORD, type Show, startShow } from "#tests/other-browsers/own-show.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile, startFileProduct } from "#tests/support/after-file.ts";
import { chromiumFlags, requireShell } from "#tests/support/chromium.ts";
import { childrenOf } from "#tests/support/product-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// A browser source of OBS is a Chromium without a keyboard, a mouse and a person. It is opened once, and has to be right for the whole
// evening: after a network that was gone for ten minutes, and after each process of the product was killed. Beside it is a big screen
// that is signed in, which follows the cable.

const BACK_WITHIN_MS = 120_000;
const TEN_MINUTES_MS = 600_000;
const OPEN_S = 1_200;
const SIZE = { width: 1920, height: 1080 };

const product = startFileProduct();
const browser = await chromium.launch({ executablePath: requireShell(), args: chromiumFlags });
const url = await product.url;
const host = await openHost(url);
const show = await startShow(host);
const screens = await openScreens(host, show);
let onAir = show.event.id;
afterFile(async () => {
  await browser.close();
  await host.dispose();
});

type Screens = { obs: Page; wall: Page };

async function openScreens({ api }: Host, { session }: Show): Promise<Screens> {
  const { stageLink } = await api<StageLinkAnswer>("GET", `/api/v1/sessions/${session.slug}/stage_link`);
  const open = async (context: BrowserContext, path: string) => {
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${url}/sessions/${session.slug}/stage${path}`);
    await page.locator("#root[data-hydrated]").waitFor();
    return page;
  };
  const signedIn = await browser.newContext({ viewport: SIZE });
  const door = await signedIn.newPage();
  await door.goto(`${url}/users/sign_in`);
  await door.getByLabel("Email").fill("admin@example.test");
  await door.getByLabel("Password").fill(PASSWORD);
  await door.getByRole("button", { name: "Sign in", exact: true }).click();
  await door.waitForURL((address) => !address.pathname.includes("sign_in"));
  return {
    obs: await open(await browser.newContext({ viewport: SIZE }), `?key=${stageLink.key}&overlay=1`),
    wall: await open(signedIn, ""),
  };
}

/** Sends what a host does until the server takes it. */
async function insist<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  return waitFor("an answer to the host", () => act().catch(() => null), { withinMs: BACK_WITHIN_MS });
}

/** The host ends the question that is open, and asks another one; each screen shows it by itself. */
async function expectFollows(what: string): Promise<void> {
  const title = `Is it back after ${what}?`;
  const sinceMs = performance.now();
  await decide(onAir);
  const { event } = await insist(() =>
    host.api<{ event: EventView }>("POST", "/api/v1/events", {
      event: { session_id: show.session.id, title, duration_seconds: OPEN_S, ask: true },
    }),
  );
  for (const [name, page] of Object.entries(screens)) {
    await waitFor(`${name} to show the question`, async () => (await titleOn(page)) === title, {
      withinMs: BACK_WITHIN_MS,
    });
    await waitFor(`${name} to be sure again`, async () => (await noteOn(page)) === "", {
      withinMs: BACK_WITHIN_MS,
    });
    figure(`${name} back after ${what}: ${Math.round(performance.now() - sinceMs)} ms`);
  }
  onAir = event.id;
  await expectOverVideo(screens.obs);
}

/** The host decides a question. */
async function decide(eventId: number): Promise<void> {
  await insist(() =>
    host.api("PATCH", `/api/v1/events/${eventId}/state`, { event: { state_event: "resolve", result: true } }),
  );
}

const titleOn = async (page: Page) =>
  (await page
    .locator("h1")
    .first()
    .textContent()
    .catch(() => "")) ?? "";
const noteOn = async (page: Page) =>
  (await page
    .locator(".connection")
    .textContent()
    .catch(() => "")) ?? "";

/** The video is seen through the source, nothing in it waits for a person, and it does not scroll. */
async function expectOverVideo(obs: Page): Promise<void> {
  const picture = await obs.screenshot({ omitBackground: true });
  const { data } = await sharp(picture)
    .extract({ left: 960, top: 200, width: 1, height: 1 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(data.at(3)).toBe(0);
  expect(await obs.locator("button, a, input").count()).toBe(0);
  expect(await obs.evaluate(() => document.body.scrollHeight > innerHeight)).toBe(false);
}

/** Kills a process of the product, which is started again. */
function kill(program: string): void {
  const pid = childrenOf(product.pid).find((child) =>
    readFileSync(`/proc/${child}/cmdline`, "utf8").includes(program),
  );
  if (pid === undefined) throw new Error(`No process runs ${program}.`);
  process.kill(pid, "SIGKILL");
}

test.each([
  [
    "a network that says it is gone",
    async (page: Page): Promise<() => unknown> => {
      await page.context().setOffline(true);
      return () => page.context().setOffline(false);
    },
  ],
  [
    "a network that says nothing",
    (page: Page): Promise<() => unknown> => intercept(page.context(), "**/*", (route) => route.abort()),
  ],
] as const)("ten minutes without %s", async (what, loseNetwork) => {
  const before = await titleOn(screens.obs);
  const lost: { page: Page; giveBack: () => unknown }[] = [];
  for (const page of Object.values(screens)) lost.push({ page, giveBack: await loseNetwork(page) });
  for (const { page } of lost) {
    await page.clock.runFor(TEN_MINUTES_MS);
    await waitFor("the note", async () => (await noteOn(page)).startsWith("No connection"));
    expect(await titleOn(page)).toBe(before);
  }
  for (const { page, giveBack } of lost) {
    await giveBack();
    // The minutes have passed in the page alone: its clock is that of the server again, as it is after real minutes.
    await page.clock.setSystemTime(Date.now());
  }
  await expectFollows(what);
});

test.each([
  ["the worker", "jobs/main.ts"],
  ["the web process", "src/main.ts"],
  ["Redis", "redis-server"],
])("a restart of %s", async (what, program) => {
  kill(program);
  await expectFollows(`a restart of ${what}`);
});
