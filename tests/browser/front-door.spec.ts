import type { FrontDoor, FrontEvent } from "#src/show/front-door/schemas.ts";
import { desk, newPage, openEvent, phone, profileOf, signedIn } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { PROOF, type Page, expect, hydrated, openLive, test } from "./support/journey.ts";
import { layoutShiftOf, recordLayoutShifts, takeMovedParts } from "./support/layout-shifts.ts";

/** Less than a digit of a clock that is a pixel wider. */
const SHIFT_MAX = 0.001;
const KEPT_OPEN_S = 120;
/** What is in the middle of a row moves less, where a higher part of the row comes after it. */
const MOVED_PX_MAX = 4;

/** A stranger on a phone, who counts taps. */
async function stranger(): Promise<{ page: Page; tap: (what: RegExp) => Promise<void>; taps: () => number }> {
  const page = await newPage({ hasTouch: true });
  await recordLayoutShifts(page.context());
  let taps = 0;
  const tap = async (name: RegExp) => {
    taps += 1;
    await page.getByRole("button", { name }).or(page.getByRole("radio", { name })).first().tap();
  };
  return { page, tap, taps: () => taps };
}

/** Lets the open action of the demo stay open for longer than a busy machine needs to call it. @returns its question. */
async function keepOpen(host: Page): Promise<string> {
  let title = "";
  await expect(async () => {
    const { event } = await openEvent(host, { secondsLeft: 6 });
    await apiOf(host)("PUT", `/api/v1/events/${event.id}/delay`, {
      event: { seconds: KEPT_OPEN_S },
    });
    ({ title } = event);
  }).toPass();
  return title;
}

test("from / to the first call a stranger needs two taps, and the name is there", async () => {
  const host = await signedIn("admin");
  const { page, tap, taps } = await stranger();
  await page.goto("/");
  await expect(page).toHaveURL("/users/sign_in");
  const title = await keepOpen(host);
  // The open page shows the new question by itself.
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await expect(page.getByRole("timer")).toBeVisible();
  await hydrated(page);
  await page.getByLabel("Your name").fill(`zoe_${Date.now() % 1e9}`);
  expect(await layoutShiftOf(page)).toBeLessThan(SHIFT_MAX);
  await tap(/^Play now$/);
  await expect(page).toHaveURL(/\/sessions\//);
  await tap(/You think/);
  await expect(page.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
  expect(taps()).toBe(2);
  expect(await profileOf(page)).toMatchObject({ guest: true, username: /^zoe_/ });
  // Back at the door the guest is at the game.
  await page.goto("/");
  await expect(page).toHaveURL(/\/sessions\//);
});

test("what comes later of a front door moves nothing of it, and the place of the passkey's button is as high as the button", async () => {
  for (const path of ["/users/sign_in", "/users/sign_in?return_to=/profile"]) {
    const page = await newPage({ viewport: phone });
    await openLive(page, path);
    const button = page.getByRole("button", { name: "Use a passkey" });
    await expect(button).toBeVisible();
    const place = page.locator(".late-button");
    const least = await place.evaluate((element) => Number.parseFloat(getComputedStyle(element).minHeight));
    expect((await button.boundingBox())?.height).toBeLessThanOrEqual(least);
    expect(await movedByLater(page), path).toEqual([]);
  }
});

/** What stands elsewhere on a page of which the end is missing. A browser may show it before all of it has come. */
function movedByLater(page: Page): Promise<string[]> {
  return page.evaluate((most) => {
    const blocks = [...document.querySelectorAll("#root :is(section, form, div, h1, h2, p)")];
    const topOf = (block: Element) => block.getBoundingClientRect().top;
    const tops = blocks.map(topOf);
    const moved: string[] = [];
    for (let last = blocks.pop(); last !== undefined; last = blocks.pop()) {
      last.remove();
      for (const [index, block] of blocks.entries())
        if (Math.abs(topOf(block) - (tops[index] ?? 0)) > most)
          moved.push(`${block.outerHTML.slice(0, 60)} without ${last.outerHTML.slice(0, 60)}`);
    }
    return moved;
  }, MOVED_PX_MAX);
}

const LONG_QUESTION =
  "Will the visiting side from the other end of the valley score a goal by a header within the first fifteen minutes of the second half today?";
const poolOf = (trueCents: number, falseCents: number) => ({
  trueCents,
  falseCents,
  totalCents: trueCents + falseCents,
  true: trueCents / 100,
  false: falseCents / 100,
  total: (trueCents + falseCents) / 100,
});
/** What a live session brings, one after the other, as changes of a question that nobody has called. */
const moments: readonly (Partial<FrontEvent> | null)[] = [
  { title: "Will it rain?" },
  { title: "Will it rain?", callsCount: 1, pool: poolOf(500, 0) },
  { title: "Will it rain?", callsCount: 1_234, pool: poolOf(500, 12_345_678) },
  { title: "Will it rain?", callsCount: 1_234, pool: poolOf(500, 12_345_678), state: "closed" },
  null,
  {
    id: 2,
    title: LONG_QUESTION,
    trueLabel: "Certainly within minutes",
    falseLabel: "Not before the interval",
  },
  {
    id: 2,
    title: LONG_QUESTION,
    trueLabel: "Certainly within minutes",
    callsCount: 9,
    pool: poolOf(12_345, 0),
  },
];

const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
/** What is planned, one after the other, while nothing is live. */
const plans: readonly FrontDoor["next"][] = [
  { id: 1, slug: "one", name: "Quiz night", startsAt: soon(600) },
  {
    id: 2,
    slug: "two",
    name: "The long night of the questions that nobody has ever answered before, in the arena",
    startsAt: soon(50),
  },
  { id: 3, slug: "three", name: "A show whose host decides when it begins", startsAt: null },
  { id: 4, slug: "four", name: "Quiz night", startsAt: soon(6) },
];

for (const { viewport, tag } of [
  { viewport: phone, tag: [] },
  ...[{ width: 320, height: 568 }, desk].map((viewport) => ({ viewport, tag: [PROOF] })),
]) {
  const title = `whatever comes while a stranger reads the front door, nothing moves at ${viewport.width} px`;
  test(title, { tag }, async () => {
    const page = await newPage({ viewport });
    await recordLayoutShifts(page.context());
    // So that each poll is soon.
    await page.addInitScript(() => {
      const repeat = setInterval.bind(window);
      Object.assign(window, { setInterval: (act: () => void) => repeat(act, 100) });
    });
    const closesAt = new Date(Date.now() + 600_000).toISOString();
    const liveAt = (moment: Partial<FrontEvent> | null): FrontDoor["live"] => ({
      slug: "show",
      name: "The evening",
      givenNames: false,
      paused: false,
      event: eventAt(moment, closesAt),
    });
    let now: Pick<FrontDoor, "live" | "next"> = { live: liveAt(moments[0] ?? null), next: null };
    await page.route("**/api/v1/front_door", async (route) => {
      const serverTime = new Date().toISOString();
      const frontDoor: FrontDoor = {
        ...now,
        openForDays: [],
        guestGrant: 100,
        guestGrantCents: 10_000,
        serverTime,
      };
      await route.fulfill({ json: { frontDoor } });
    });
    await page.goto("/users/sign_in");
    await expect(page.getByRole("heading", { name: "Will it rain?" })).toBeVisible();
    // The late parts of the sign-in have come.
    await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
    const play = page.getByRole("button", { name: /^(?:Play|Join) now$/ });
    const place = await play.boundingBox();
    await takeMovedParts(page);
    for (const moment of moments) {
      now = { live: liveAt(moment), next: null };
      await expect(page.locator(".live-now")).toContainText(shownOf(moment));
      expect.soft(await play.boundingBox(), shownOf(moment)).toEqual(place);
    }
    const remind = page.getByRole("link", { name: /^Remind me/ });
    let remindPlace: Awaited<ReturnType<typeof remind.boundingBox>> = null;
    for (const next of plans) {
      now = { live: null, next };
      await expect(page.locator(".live-now h2")).toHaveText(next?.name ?? "");
      await expect(page.locator(".live-now [role=timer]")).toHaveCount(isSoon(next) ? 1 : 0);
      expect.soft(await play.boundingBox(), next?.slug).toEqual(place);
      if (next?.startsAt === null) continue;
      remindPlace ??= await remind.boundingBox();
      expect.soft(await remind.boundingBox(), next?.slug).toEqual(remindPlace);
    }
    expect(await takeMovedParts(page)).toEqual([]);
  });
}

/** A countdown is shown in the last hour. */
function isSoon(next: FrontDoor["next"]): boolean {
  return Date.parse(next?.startsAt ?? "") - Date.now() < 3_600_000;
}

function eventAt(changes: Partial<FrontEvent> | null, closesAt: string): FrontEvent | null {
  if (changes === null) return null;
  return {
    id: 1,
    title: "",
    trueLabel: "True",
    falseLabel: "False",
    state: "open",
    publishedAt: null,
    opensAt: null,
    closesAt,
    durationSeconds: 600,
    pool: poolOf(0, 0),
    callsCount: 0,
    ...changes,
  };
}

/** The text that shows that a moment has come. */
function shownOf(moment: Partial<FrontEvent> | null): string {
  if (moment === null) return "The next question is on its way.";
  if (moment.state === "closed") return "Calls are closed.";
  return moment.callsCount === undefined
    ? String(moment.title)
    : `${moment.callsCount.toLocaleString("en")} call`;
}
