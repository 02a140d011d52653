import { createHash } from "node:crypto";
import { type Browser, expect, type Page } from "playwright/test";
import type { DirectUploadAnswer } from "#src/people/storage/schemas.ts";
import type { JoinCodeAnswer } from "#src/show/join-codes/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { StageLinkAnswer } from "#src/show/stage/schemas.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { signedIn } from "./players.ts";
import { type Api, apiOf } from "./show-host.ts";
import { hiddenIn } from "./support/boxes.ts";
import { untilStill } from "./support/inspect-page.ts";
import { PROOF, test } from "./support/journey.ts";
import { ask, planSession } from "./support/own-show.ts";
import { atMoment } from "./support/page-states.ts";
import { hydrated } from "./support/page.ts";
import { callSide, decide } from "./support/two-device-show.ts";

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
];
type Look = { size: (typeof SIZES)[number]; isLong: boolean };
const everyLook: readonly Look[] = SIZES.flatMap((size) => [false, true].map((isLong) => ({ size, isLong })));
/** Who cannot scan the code needs the address and its letters. */
const JOIN = [".big-screen .join .address", ".big-screen .join .code", ".big-screen .qr-code"];
/** The largest module of the QR code that a phone reads from the back of a room is so wide a part of the screen's height. */
const QR_LEAST = 0.17;
const LONG_HOST = "predictions.the-longest-company-name.example.com/";
const SPONSOR = "Presented by the Wonderful Waterworks and Wholesale of Westmorland and Windermere".slice(
  0,
  80,
);
const TEAMS = ["Wonderful Westmoors", "Windermere Workers", "Midwinter Mammoths"];
const TITLE = `${"Will it rain before the second half of the derby begins at the stadium by the river? ".repeat(2).slice(0, 139)}?`;
/** Past the time for which a result is shown. */
const BETWEEN_MS = 60_000;

/** In each scene with each brand, on the small, the middle and the large screen, where the address is short or long. */
for (const teams of [[], TEAMS]) {
  test(
    `the code to join is whole with any brand and long names, ${teams.length} teams`,
    { tag: PROOF },
    async ({ browser, baseURL }) => {
      test.slow();
      const origin = String(baseURL);
      const admin = await signedIn(browser, "admin");
      const host = apiOf(admin.context(), origin);
      const show = await planShow(host, teams);
      const wall = await openWall(browser, host, show);
      const expectWhole = async (about: string) => expect(await hiddenOn(wall, everyLook), about).toEqual([]);
      const expectEachWhole = async (scene: string) => {
        for (const [name, brand] of Object.entries(await brandsOf(host, admin))) {
          await host("PATCH", show.path, { session: { settings: { brand } } });
          await reloadIn(wall, scene);
          await expectWhole(`${scene}, ${name}`);
        }
      };
      await expectEachWhole("lobby");
      const guests = await Promise.all([1, 2, 3].map((number) => joinAs(browser, { show, origin, number })));
      await host("PUT", `${show.path}/start`);
      await playRound(host, show, guests);
      const later = atMoment(Date.now() + BETWEEN_MS);
      await later.enter(wall);
      await expect(wall.locator(".big-screen")).toHaveAttribute("data-scene", "between");
      await expectWhole("between, both");
      await later.leave(wall);
      const { id } = await ask(host, show.id, TITLE);
      await expectEachWhole("question");
      // What waits for its result stays on the screen.
      await host("PUT", `/api/v1/events/${id}/skip`, { event: {} });
      await host("PUT", `${show.path}/stop`);
      await reloadIn(wall, "end");
      await expectWhole("end, both");
    },
  );
}

type Show = SessionView & { path: string; code: string };

async function planShow(host: Api, teams: readonly string[]): Promise<Show> {
  const session = await planSession(host, "Wonderful Westmorland and Windermere Waterworks", {
    settlement_delay_seconds: 0,
    teams,
  });
  const path = `/api/v1/sessions/${session.slug}`;
  const { joinCode } = await host<JoinCodeAnswer>("GET", `${path}/join_code`);
  return { ...session, path, code: joinCode.code };
}

/** Each changes the one before. */
async function brandsOf(host: Api, { request }: Page) {
  const bytes = await picture("png", { width: 640, height: 256 });
  const blob = {
    filename: "logo.png",
    byte_size: bytes.byteLength,
    checksum: createHash("md5").update(bytes).digest("base64"),
    content_type: "image/png",
  };
  const announced = await host<DirectUploadAnswer>("POST", "/api/v1/storage/direct_uploads", { blob });
  const { url, headers } = announced.directUpload;
  expect((await request.put(url, { headers, data: Buffer.from(bytes) })).status()).toBe(204);
  return {
    "no brand": { logo: null, sponsor: null, accent: null },
    "a long line": { sponsor: SPONSOR },
    "a logo": { logo: announced.signedId, sponsor: null },
    both: { sponsor: SPONSOR, accent: "#0072b3" },
  };
}

async function openWall(browser: Browser, host: Api, { slug, path }: Show): Promise<Page> {
  const { stageLink } = await host<StageLinkAnswer>("GET", `${path}/stage_link`);
  const wall = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await wall.goto(`/sessions/${slug}/stage?key=${stageLink.key}`);
  await hydrated(wall);
  return wall;
}

/** A guest with a name of the widest letters. */
async function joinAs(
  browser: Browser,
  { show, origin, number }: { show: Show; origin: string; number: number },
): Promise<Api> {
  const guest = apiOf(await browser.newContext(), origin);
  const username = `W${number}${String(Date.now()).slice(-6)}WWWWWWWWWWWW`;
  await guest("POST", "/api/v1/joins", { join: { code: show.code, username } });
  return guest;
}

/** A question that all three call, and its result: there are leaders then. */
async function playRound(host: Api, show: Show, guests: readonly Api[]): Promise<void> {
  const asked = await ask(host, show.id, "Rain?");
  for (const [index, guest] of guests.entries())
    await callSide(guest, asked, index % 2 === 0 ? "true" : "false");
  await decide({ host }, asked, true);
}

/** Loads the page, so that it shows what was changed. */
async function reloadIn(wall: Page, scene: string): Promise<void> {
  await wall.reload();
  await hydrated(wall);
  await expect(wall.locator(".big-screen")).toHaveAttribute("data-scene", scene);
}

/** What is hidden of the code and the address. */
async function hiddenOn(wall: Page, looks: readonly Look[]): Promise<string[]> {
  const short = await wall.locator(".address span").first().innerText();
  const found: string[] = [];
  for (const { size, isLong } of looks) {
    await wall.setViewportSize(size);
    await wall
      .locator(".address span")
      .first()
      .evaluate(setText, isLong ? LONG_HOST : short);
    await wall.evaluate(untilStill);
    await wall.evaluate("document.fonts.ready");
    const hidden = await hiddenIn(wall, JOIN);
    const { height: qrPx = 0 } = (await wall.locator(".qr-code").boundingBox()) ?? {};
    if (qrPx < QR_LEAST * size.height) hidden.push(`the QR code is ${qrPx} px high`);
    found.push(...hidden.map((line) => `${size.width} x ${size.height}: ${line}`));
  }
  return found;
}

function setText(element: Element, text: string): void {
  element.textContent = text;
}
