import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { StageLinkAnswer } from "#src/show/stage/schemas.ts";
import { newPage, signedIn } from "./players.ts";
import { type Api, apiOf } from "./show-host.ts";
import { expectSound } from "./support/accessibility.ts";
import { LONGEST_TITLE } from "./support/boxes.ts";
import { type Locator, type Page, expect, hydrated, openLive, test } from "./support/journey.ts";
import { ask, planSession, startSession } from "./support/own-show.ts";
import { atMoment } from "./support/page-states.ts";
import { decide } from "./support/two-device-show.ts";

const projector = { viewport: { width: 1920, height: 1080 } };
/** The smallest letters on 1080 lines: 39 px, 4 cm on a screen that is 2 m wide, are read from 10 m. An overlay is seen from near. */
const LEAST_PX = { wall: 38, overlay: 28 };
const MESSAGE = "Somebody has brought an umbrella, and it is a large one.";
const LONGEST_LABELS = ["Wet on all of the benches", "Dry until the last minute"] as const;

test("a projector without a sign-in and a stream's overlay follow the show, and say when they are not connected", async () => {
  const admin = await signedIn("admin", projector);
  const host = apiOf(admin);
  const session = await planSession(host, "On the wall");
  const path = `/sessions/${session.slug}`;
  const wall = await newPage(projector);
  await expectLobby(wall, session, host);
  await startSession(host, session);
  await expect(wall.locator(".big-screen")).not.toHaveAttribute("data-phase", "pending");
  await openLive(admin, `${path}/stage?overlay=1&chat=0`);
  await expect.poll(() => groundsOf(admin)).toEqual(["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"]);
  await expect(admin.locator("button, a, input")).toHaveCount(0);

  const [wet, dry] = LONGEST_LABELS;
  const title = LONGEST_TITLE;
  const asked = await ask(host, session.id, title, { true_label: wet, false_label: dry });
  for (const page of [wall, admin]) {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.getByText("Open", { exact: true })).toBeVisible();
  }

  // The admin of another journey chats too, and each person says one thing every two seconds.
  const cleo = await signedIn("cleo");
  const say = apiOf(cleo);
  await say("POST", "/api/v1/messages", { message: { session_id: session.id, body: MESSAGE } });
  await expect(wall.locator(".heard")).toContainText(MESSAGE);
  await expectReadable(wall, admin);

  await wall.context().setOffline(true);
  const note = wall.getByRole("status").getByText(/^No connection\. This is how it was at/);
  await expect(note).toBeVisible();
  await expectBesideQuestion(wall, note);
  await resolveOn(admin, host, asked);
  await expect(wall.getByText("Open", { exact: true })).toHaveCount(0);
  await wall.context().setOffline(false);
  await expect(wall.locator(".stage-result, .podium").first()).toBeVisible();
  expect(await smallLettersOn(wall, LEAST_PX.wall)).toEqual([]);
  await expect(wall.getByText(/^No connection/)).toHaveCount(0);

  await host("PUT", `/api/v1${path}/stop`);
  await expectFirstThree(wall, path);
  expect(await smallLettersOn(wall, LEAST_PX.wall)).toEqual([]);
  for (const page of [wall, admin, cleo]) await page.context().close();
});

test("a host copies the stage link in the control room, and a new one ends it", async () => {
  const admin = await signedIn("admin", projector);
  await admin.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = await planSession(apiOf(admin), "On the wall");
  await openLive(admin, `/sessions/${session.slug}/admin`);
  await admin.getByRole("button", { name: "Invite" }).click();
  const field = admin.getByRole("textbox", { name: "Stage link" });
  await expect(field).toHaveValue(/\/stage\?key=[\w-]{43}$/);
  await expectSound(admin);
  const copy = async () => {
    await admin.getByRole("button", { name: "Copy stage link" }).click();
    await expect(admin.getByText("Copied", { exact: true })).toBeVisible();
    return admin.evaluate(() => navigator.clipboard.readText());
  };
  const first = await copy();
  await expect(admin.getByRole("textbox", { name: "Link for OBS" })).toHaveValue(`${first}&overlay=1`);
  const wall = await newPage(projector);
  expect((await wall.goto(first))?.status()).toBe(200);

  await admin.getByRole("button", { name: "New stage link" }).click();
  await admin.getByRole("button", { name: "Make a new link" }).click();
  await expect(admin.getByText("This is the new link.")).toBeVisible();
  await expect(field).not.toHaveValue(first);
  const second = await copy();
  await expect(wall.getByRole("heading", { name: "This stage link shows nothing." })).toBeVisible();
  await expectSound(wall);
  expect((await wall.goto(second))?.status()).toBe(200);
  for (const page of [wall, admin]) await page.context().close();
});

/**
 * Before players are sent there only the stage link shows the code and the name, which follows the session. The page keeps its key
 * when it asks and when it is loaded again.
 */
async function expectLobby(wall: Page, { slug }: SessionView, host: Api): Promise<void> {
  expect((await wall.goto(`/sessions/${slug}/stage`))?.status()).toBe(404);
  const { stageLink } = await host<StageLinkAnswer>("GET", `/api/v1/sessions/${slug}/stage_link`);
  expect((await openLive(wall, `/sessions/${slug}/stage?key=${stageLink.key}`))?.status()).toBe(200);
  await expect(wall.locator(".qr-code")).toBeInViewport({ ratio: 1 });
  const name = `On the other wall ${Date.now()}`;
  await host("PATCH", `/api/v1/sessions/${slug}`, { session: { name } });
  await expect(wall.getByRole("heading", { level: 1 })).toContainText(name);
  await wall.reload();
  await hydrated(wall);
  await expect(wall.getByRole("heading", { level: 1 })).toContainText(name);
  expect(await smallLettersOn(wall, LEAST_PX.wall)).toEqual([]);
}

/** The true side wins, and a screen shows it for some seconds: its clock stands until it was read. */
async function resolveOn(screen: Page, host: Api, event: EventView): Promise<void> {
  const standing = atMoment(Date.now());
  await standing.enter(screen);
  await decide({ host }, event, true);
  await expect(screen.locator(".stage-result")).toContainText(LONGEST_LABELS[0]);
  await standing.leave(screen);
}

/** After the show: the first three, also for a page that is opened then, without a link. */
async function expectFirstThree(wall: Page, path: string): Promise<void> {
  await expect(wall.getByRole("heading", { name: "The first three" })).toBeVisible();
  expect((await wall.goto(`${path}/stage`))?.status()).toBe(200);
  await expect(wall.getByRole("heading", { name: "The first three" })).toBeVisible();
}

/** On a screen of either form: what is old is still read. */
async function expectBesideQuestion(wall: Page, note: Locator): Promise<void> {
  for (const height of [1080, 1440]) {
    await wall.setViewportSize({ ...projector.viewport, height });
    const [noted, question] = [await note.boundingBox(), await wall.locator(".on-now").boundingBox()];
    expect(noted?.x).toBeGreaterThan((question?.x ?? 0) + (question?.width ?? 0));
    await expect(note).toBeInViewport({ ratio: 1 });
  }
  await wall.setViewportSize(projector.viewport);
}

/** The code can be scanned, and the letters be read, in both themes. */
async function expectReadable(wall: Page, overlay: Page): Promise<void> {
  await expect(wall.locator(".qr-code")).toBeInViewport({ ratio: 1 });
  for (const colorScheme of ["light", "dark"] as const) {
    await wall.emulateMedia({ colorScheme });
    await expectSound(wall);
  }
  expect(await smallLettersOn(wall, LEAST_PX.wall)).toEqual([]);
  expect(await smallLettersOn(overlay, LEAST_PX.overlay)).toEqual([]);
}

/** The colours behind the page. */
function groundsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor),
  );
}

/** The texts that can be seen and whose letters are smaller, with their size. */
function smallLettersOn(page: Page, leastPx: number): Promise<string[]> {
  return page.evaluate((least) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const { parentElement: element, textContent } = node;
      if (element === null || textContent?.trim() === "" || element.closest(".vh, .skip, script") !== null)
        continue;
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      if (size < least && element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        found.push(`${size} px: ${textContent}`);
    }
    return found;
  }, leastPx);
}
