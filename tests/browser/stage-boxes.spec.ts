import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { StageAnswer } from "#src/show/stage/schemas.ts";
import { signedIn } from "./players.ts";
import { type Api, apiOf, newApi } from "./show-host.ts";
import { hiddenIn, LEFT_OUT, LONGEST_TITLE, onSizes, openWall, STAGE_SIZES } from "./support/boxes.ts";
import { untilStill } from "./support/inspect-page.ts";
import { PROOF, type Page, type Route, expect, hydrated, intercept, test } from "./support/journey.ts";
import { ask, change, joinCodeOf, planSession } from "./support/own-show.ts";
import { atMoment } from "./support/page-states.ts";
import { sendPicture } from "./support/send-picture.ts";
import { callSide, decide } from "./support/two-device-show.ts";

type Look = { size: (typeof STAGE_SIZES)[number]; isLong: boolean };
const everyLook: readonly Look[] = STAGE_SIZES.flatMap((size) =>
  [false, true].map((isLong) => ({ size, isLong })),
);
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
/** Ahead of what the server decides meanwhile. */
const STANDS_MS = 2_000;
/** Past the time for which a result is shown. */
const BETWEEN_MS = 60_000;

/** In each scene with each brand, on the small, the middle and the large screen, where the address is short or long. */
for (const teams of [[], TEAMS]) {
  test(
    `the code to join is whole with any brand and long names, ${teams.length} teams`,
    { tag: PROOF },
    async () => {
      test.slow();
      const admin = await signedIn("admin");
      const host = apiOf(admin);
      const show = await planShow(host, teams);
      const wall = await openWall(host, show);
      const expectCode = async (about: string) => expect(await hiddenOn(wall, everyLook), about).toEqual([]);
      const expectEachWhole = async (scene: string) => {
        for (const [name, brand] of Object.entries(await brandsOf(host, admin))) {
          await host("PATCH", show.path, { session: { settings: { brand } } });
          await reloadIn(wall, scene);
          await expectCode(`${scene}, ${name}`);
        }
      };
      await expectEachWhole("lobby");
      const guests = await Promise.all([1, 2, 3].map((number) => joinAs(show, number)));
      await host("PUT", `${show.path}/start`);
      await playRound(host, show, guests);
      const later = atMoment(Date.now() + BETWEEN_MS);
      await later.enter(wall);
      await expect(wall.locator(".big-screen")).toHaveAttribute("data-scene", "between");
      await expectCode("between, both");
      await later.leave(wall);
      const { id } = await ask(host, show.id, LONGEST_TITLE);
      await expectEachWhole("question");
      // What waits for its result stays on the screen.
      await host("PUT", `/api/v1/events/${id}/skip`, { event: {} });
      await host("PUT", `${show.path}/stop`);
      await reloadIn(wall, "end");
      await expectCode("end, both");
    },
  );
}

const LABELS = { true_label: "Wet on all of the benches", false_label: "Dry until the last minute" };
const REASON =
  "The second camera shows that it had begun before the whistle, on the far side of the ground. ".repeat(5);
/** From 8 m on a screen that is 2 m wide: the height of a capital as a part of the picture's. */
const CAPITAL_LEAST = 0.04;
const READ_FROM_AFAR = [
  ".side-names b",
  ".side-names .num",
  ".on-now .net",
  ".stage-result strong",
  ".stage-result .win",
  ".words",
];
const NAMES = ["Wonderful Westmoor", "Maximilian Mustard", "Grandmother Willow", "mmmmmmmmmmmmmmmmmm"];

/** Each day with everything at once, and each phase on one of the screens; with the proofs with each of it, and on all screens. */
for (const { teams, branded, isProof } of [
  { teams: TEAMS, branded: true, isProof: false },
  { teams: TEAMS, branded: true, isProof: true },
  { teams: TEAMS, branded: false, isProof: true },
  { teams: [], branded: true, isProof: true },
  { teams: [], branded: false, isProof: true },
]) {
  test(
    `no text of the big screen is cut, covered or on another one, and labels and money are read from 8 m, with ${teams.length} teams${branded ? " and a brand" : ""}, on ${isProof ? "each screen" : "a screen"}`,
    { tag: isProof ? [PROOF] : [] },
    async () => {
      test.slow();
      const admin = await signedIn("admin");
      const host = apiOf(admin);
      const show = await planShow(host, teams);
      if (branded)
        for (const brand of Object.values(await brandsOf(host, admin)))
          await host("PATCH", show.path, { session: { settings: { brand } } });
      const wall = await openWall(host, show);
      let looks = 0;
      const look = async (phase: string) => {
        looks += 1;
        const sizes = isProof ? STAGE_SIZES : STAGE_SIZES.slice(looks % STAGE_SIZES.length).slice(0, 1);
        await onSizes(wall, sizes, async ({ width, height }) => {
          const about = `${phase}, ${width} px wide`;
          expect.soft(await hiddenIn(wall, [".big-screen"], LEFT_OUT), about).toEqual([]);
          expect.soft(await smallIn(wall, READ_FROM_AFAR, CAPITAL_LEAST * height), about).toEqual([]);
        });
      };
      await lookAtLobbies(wall, look);
      const guests = await Promise.all([1, 2, 3].map((number) => joinAs(show, number)));
      await host("PUT", `${show.path}/start`);
      await playThrough({ host, show, guests, wall }, look);
    },
  );
}

type LookAt = (phase: string) => Promise<void>;
type Stage = { host: Api; show: Show; guests: readonly Api[]; wall: Page };

/** Nobody, 30 and 300 players, as they would be counted if so many were here. */
async function lookAtLobbies(wall: Page, look: LookAt): Promise<void> {
  await look("lobby, nobody");
  for (const count of [30, 300]) {
    const leave = await crowded(wall, count);
    await expect(wall.locator(".how-many b")).toHaveText(String(count));
    await look(`lobby, ${count} players`);
    leave();
  }
}

/** The big screen gets so many names with the server's answer: of those who have come, and of the leaders. */
function crowded(wall: Page, count: number): Promise<() => void> {
  const names = Array.from({ length: count }, (_, index) => NAMES[index % NAMES.length] ?? "");
  return intercept(wall, /\/stage\?(?!.*overlay)/, async (route: Route) => {
    const response = await route.fetch();
    if (!(response.headers()["content-type"] ?? "").includes("json")) return route.fulfill({ response });
    const answer: StageAnswer = await response.json();
    const players = names.map((username, index) => ({ userId: index + 1, username, picture: null }));
    const [first] = answer.leaders;
    const leaders =
      first === undefined
        ? []
        : names.slice(0, 10).map((username, index) => ({
            ...first,
            userId: index + 1,
            username,
            rank: index + 1,
            tied: false,
            rankChange: index % 2 === 0 ? 12 : null,
            netCents: 123_456,
          }));
    const arrivals = answer.arrivals === null ? null : { count, players };
    return route.fulfill({ response, json: { ...answer, arrivals, leaders, playersCount: count } });
  });
}

/** Through all that a question can come to, with 300 players. */
async function playThrough(stage: Stage, look: LookAt): Promise<void> {
  const { host, show, guests, wall } = stage;
  await expectScene(wall, "between");
  await look("before the first question");
  const asked = await ask(host, show.id, LONGEST_TITLE, LABELS);
  await expect(wall.locator(".big-screen")).toHaveAttribute("data-phase", "open");
  await look("open, no calls");
  for (const [index, guest] of guests.entries())
    await callSide(guest, asked, index % 2 === 0 ? "true" : "false", 33.33);
  await expect(wall.locator(".callers")).toHaveText("3 calls");
  await look("open");
  await lookAround(stage, asked, look);
  const leave = await crowded(wall, 300);
  await decideOn(stage, asked, look);
  await expectScene(wall, "between");
  await look("the leaders");
  await callOff(stage, look);
  await host("PUT", `${show.path}/stop`);
  await expectScene(wall, "end");
  await expect(wall.locator(".final-podium header")).toContainText("Ranked by questions won.");
  await expect(wall.locator(".figures")).toContainText("Most won");
  await look("the end");
  leave();
}

async function expectScene(wall: Page, scene: string): Promise<void> {
  await expect(wall.locator(".big-screen")).toHaveAttribute("data-scene", scene);
}

/** The last seconds, the time being up, a pause, and the close. */
async function lookAround({ host, show, wall }: Stage, asked: EventView, look: LookAt): Promise<void> {
  const closesMs = Date.parse(asked.closesAt ?? "");
  for (const [phase, atMs] of [
    ["closing", closesMs - 3_000],
    ["locking", closesMs + 1_000],
  ] as const) {
    const late = atMoment(atMs);
    await late.enter(wall);
    await expect(wall.locator(".big-screen")).toHaveAttribute("data-phase", phase);
    await look(phase);
    await late.leave(wall);
  }
  await host("PUT", `${show.path}/pause`);
  await expect(wall.locator(".big-screen")).toHaveAttribute("data-phase", "paused");
  await look("paused");
  await host("PUT", `${show.path}/resume`);
  await change(host, asked, { state_event: "close_event" });
  await expect(wall.locator(".big-screen")).toHaveAttribute("data-phase", "closed");
  await look("closed");
}

/** A result that waits, that is paid, and that is corrected for a long reason; then the leaders. */
async function decideOn({ host, show, wall }: Stage, asked: EventView, look: LookAt): Promise<void> {
  const delay = (seconds: number) =>
    host("PATCH", show.path, { session: { settings: { settlement_delay_seconds: seconds } } });
  await delay(600);
  await decide({ host }, asked, true);
  await expect(wall.locator(".stage-result")).toContainText("Pays in");
  await look("pays in");
  await delay(0);
  await change(host, asked, { state_event: "withdraw" });
  await standingStill(wall, async () => {
    await decide({ host }, asked, true);
    await expect(wall.locator(".how-it-went")).toContainText("2 of 3 called it.");
    await look("result");
  });
  await standingStill(wall, async () => {
    await decide({ host }, asked, false, REASON);
    await expect(wall.locator(".stage-result")).toContainText(`It was ${LABELS.true_label}`);
    await look("corrected");
  });
  await host("PUT", `${show.path}/stage_leaders`, { leaders: { shown: true } });
}

async function callOff({ host, show, wall }: Stage, look: LookAt): Promise<void> {
  const skipped = await ask(host, show.id, LONGEST_TITLE, LABELS);
  await expectScene(wall, "question");
  await standingStill(wall, async () => {
    await host("PUT", `/api/v1/events/${skipped.id}/skip`, { event: {} });
    await expect(wall.locator(".big-screen")).toHaveAttribute("data-phase", "withdrawn");
    await look("skipped");
  });
  const off = await ask(host, show.id, LONGEST_TITLE, LABELS);
  await standingStill(wall, async () => {
    await decide({ host }, off, "void", REASON);
    await expectScene(wall, "result");
    await look("called off");
    // By its state and its result, and no third time.
    await expect(wall.getByText("Called off").filter({ visible: true })).toHaveCount(2);
  });
}

/** What is shown for some seconds stays while it is looked at. */
async function standingStill(wall: Page, look: () => Promise<void>): Promise<void> {
  const standing = atMoment(Date.now() + STANDS_MS);
  await standing.enter(wall);
  await look();
  await standing.leave(wall);
}

/** The texts whose capitals are lower, with their height. */
function smallIn(wall: Page, parts: readonly string[], leastPx: number): Promise<string[]> {
  return wall.evaluate(
    ({ selector, least }) => {
      const pen = document.createElement("canvas").getContext("2d");
      return [...document.querySelectorAll(selector)].flatMap((element) => {
        if (pen === null || element.textContent.trim() === "" || !element.checkVisibility()) return [];
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
        pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
        const { actualBoundingBoxAscent: px } = pen.measureText("H");
        return px < least ? [`${element.textContent}: ${px.toFixed(1)} of ${least.toFixed(1)} px`] : [];
      });
    },
    { selector: parts.join(), least: leastPx },
  );
}

type Show = SessionView & { path: string; code: string };

async function planShow(host: Api, teams: readonly string[]): Promise<Show> {
  const session = await planSession(host, "Wonderful Westmorland and Windermere Waterworks", {
    settlement_delay_seconds: 0,
    teams,
  });
  const path = `/api/v1/sessions/${session.slug}`;
  return { ...session, path, code: (await joinCodeOf(host, session)).code };
}

/** Each changes the one before. */
async function brandsOf(host: Api, admin: Page) {
  const logo = await sendPicture(host, admin, { width: 640, height: 256 });
  return {
    "no brand": { logo: null, sponsor: null, accent: null },
    "a long line": { sponsor: SPONSOR },
    "a logo": { logo, sponsor: null },
    both: { sponsor: SPONSOR, accent: "#0072b3" },
  };
}

/** A guest with a name of the widest letters. */
async function joinAs(show: Show, number: number): Promise<Api> {
  const guest = await newApi();
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
