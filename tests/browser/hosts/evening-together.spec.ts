import { type Browser, type BrowserContext, expect, type Page } from "playwright/test";
import type { BookCheckView } from "#src/books/schemas.ts";
import type { LeadersAnswer } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { JoinCodeAnswer, WavesAnswer } from "#src/show/join-codes/schemas.ts";
import type { ResultsSheet } from "#src/show/results-sheet/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { StageLinkAnswer } from "#src/show/stage/schemas.ts";
import { row, xlsx } from "#tests/show/blueprints/plan-files/workbooks.ts";
import { desk, phone, signedIn } from "../players.ts";
import { type Api, apiOf, eventsIn } from "../show-host.ts";
import { hiddenIn, LEFT_OUT, STAGE_SIZES } from "../support/boxes.ts";
import { untilStill } from "../support/inspect-page.ts";
import { PROOF, test } from "../support/journey.ts";
import { change } from "../support/own-show.ts";
import { hydrated } from "../support/page.ts";
import { callSide, decide } from "../support/two-device-show.ts";
import { generateSession } from "../support/write-blueprint.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const TEAMS = ["Foxes", "Owls", "Bears"];
const SPONSOR = "With Corner Bakery";
/** Of eight scripts. */
const NAMES = ["Zoë", "Łukasz", "Ольга", "Νίκος", "علي", "נועה", "आरव", "李雷", "서연"];
const GUESTS = 30;
const BOTS = 40;
const QUESTIONS = Array.from({ length: 20 }, (_, index) => `Does guess ${index + 1} come true?`);
/** By their place: what is called off, what is corrected to false after it was true, and before which one the show is stopped by mistake. */
const [CALLED_OFF, CORRECTED, STOPPED] = [2, 6, 11];

/** Results that questions have cut off come one after the other before the end. */
const SCENE_WITHIN_MS = 180_000;

type Evening = { slug: string; host: Api; coHost: Api; wall: Page };

/** A workbook becomes a private show with a brand and three teams. Cleo hosts it too. */
async function plan(browser: Browser, origin: string): Promise<Evening & { code: string }> {
  const page = await signedIn(browser, "admin", { viewport: desk });
  await page.goto("/blueprints/new");
  await hydrated(page);
  const rows = QUESTIONS.map((question) => row(question, "Of course", "Never", "1200")).join("");
  const buffer = Buffer.from(
    xlsx({ Evening: row("Question", "True label", "False label", "Seconds") + rows }),
  );
  await page
    .getByLabel("Choose a file, or drop it here")
    .setInputFiles({ name: "evening.xlsx", mimeType: XLSX, buffer });
  await page.getByLabel("Call it").fill("Evening");
  await page.getByRole("button", { name: "Bring it in" }).click();
  await expect(page.getByRole("heading", { name: "Evening", level: 1 })).toBeVisible();
  const slug = await generateSession(page, "Evening together");
  const host = apiOf(page.context(), origin);
  const path = `/api/v1/sessions/${slug}`;
  const settings = {
    private: true,
    teams: TEAMS,
    settlement_delay_seconds: 0,
    brand: { accent: "#0072b3", sponsor: SPONSOR },
  };
  await host("PATCH", path, { session: { settings } });
  await host("POST", `${path}/session_hosts`, { session_host: { user: "cleo" } });
  const cleo = await signedIn(browser, "cleo", { viewport: desk });
  const { joinCode } = await host<JoinCodeAnswer>("GET", `${path}/join_code`);
  const { stageLink } = await host<StageLinkAnswer>("GET", `${path}/stage_link`);
  const wall = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await wall.goto(`/sessions/${slug}/stage?key=${stageLink.key}`);
  await hydrated(wall);
  return { slug, code: joinCode.code, host, coHost: apiOf(cleo.context(), origin), wall };
}

/** A player who comes by the code in a browser, chooses a team and a name. */
async function comeInBrowser(
  browser: Browser,
  { slug, code }: { slug: string; code: string },
  options: { name: string; team: string; javaScriptEnabled: boolean },
): Promise<BrowserContext> {
  const { name, team, javaScriptEnabled } = options;
  const context = await browser.newContext({ viewport: phone, javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(`/join?code=${code}`);
  await expect(page.getByText(SPONSOR)).toBeVisible();
  await page.getByRole("radio", { name: new RegExp(team) }).check();
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Play now" }).click();
  await expect(page).toHaveURL(new RegExp(`/sessions/${slug}$`));
  return context;
}

/** A guest from an address of the own. */
async function comeFrom(browser: Browser, origin: string, address: string, join: object): Promise<Api> {
  const api = apiOf(await browser.newContext({ extraHTTPHeaders: { "x-forwarded-for": address } }), origin);
  await api("POST", "/api/v1/joins", { join });
  return api;
}

/** Bots come from one network, and go with one act of the host. */
async function endureBots(
  browser: Browser,
  origin: string,
  { slug, code, host }: Evening & { code: string },
) {
  const path = `/api/v1/sessions/${slug}`;
  await Promise.all(Array.from({ length: BOTS }, () => comeFrom(browser, origin, "203.0.113.9", { code })));
  const { arrived, meta } = await host<WavesAnswer>("GET", `${path}/waves`);
  const wave = arrived.find(({ count }) => count === BOTS);
  expect(wave).toBeDefined();
  await host("DELETE", `${path}/waves/${wave?.id}?until=${meta.serverTime}`);
}

/** Nothing on the big screen is cut off, covered or on another text. */
async function expectReadable(wall: Page, scene: string, about: string): Promise<void> {
  await expect(wall.locator(".big-screen")).toHaveAttribute("data-scene", scene, {
    timeout: SCENE_WITHIN_MS,
  });
  for (const size of STAGE_SIZES) {
    await wall.setViewportSize(size);
    await wall.evaluate(untilStill);
    expect.soft(await hiddenIn(wall, [".big-screen"], LEFT_OUT), `${about}, ${size.width} px`).toEqual([]);
  }
}

/** The hosts take turns. */
async function play(evening: Evening, players: readonly Api[]): Promise<void> {
  const { host, coHost, wall, slug } = evening;
  for (const [index, title] of QUESTIONS.entries()) {
    const turn = index % 2 === 0 ? host : coHost;
    if (index === STOPPED) await stopByMistake(evening);
    const event = await openNext(turn, slug, title);
    await Promise.all(
      players.map((player, number) =>
        callSide(player, event, (number + index) % 3 === 0 ? "false" : "true", 1 + (number % 4)),
      ),
    );
    if (index === 0) await expectReadable(wall, "question", "open");
    await change(turn, event, { state_event: "close_event" });
    await decide({ host: turn }, event, index === CALLED_OFF ? "void" : index % 3 !== 1);
    await untilPaid(evening, event.id);
    if (index === 0) await expectReadable(wall, "result", "result");
    if (index !== CORRECTED) continue;
    await decide({ host: turn }, event, false, "The roof was wet");
    await untilPaid(evening, event.id);
  }
}

/** Brings the question on the air, whatever the plan's own times do meanwhile. */
async function openNext(host: Api, slug: string, title: string): Promise<EventView> {
  let found: EventView | undefined;
  await expect(async () => {
    found = (await eventsIn(host, { slug })).find((event) => event.title === title);
    if (found?.state === "draft" || found?.state === "visible")
      await host("PUT", `/api/v1/events/${found.id}/advance`, { event: {} });
    expect(found?.state).toBe("open");
  }).toPass();
  if (found === undefined) throw new Error(`There is no question "${title}".`);
  return found;
}

async function stopByMistake({ slug, coHost }: Evening): Promise<void> {
  await coHost("PUT", `/api/v1/sessions/${slug}/stop`);
  await coHost("PUT", `/api/v1/sessions/${slug}/take_back_stop`);
}

async function untilPaid({ host, slug }: Evening, eventId: number): Promise<void> {
  await expect
    .poll(async () => {
      const question = (await sheetOf(host, slug)).questions.find((each) => each.eventId === eventId);
      return question?.paidCents === question?.poolCents;
    })
    .toBe(true);
}

async function sheetOf(api: Api, slug: string): Promise<ResultsSheet> {
  return (await api<{ sheet: ResultsSheet }>("GET", `/api/v1/sessions/${slug}/results`)).sheet;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** The sheet, the leaderboard, the teams, the season and the books agree to the cent. */
async function expectTheSame(
  { slug, host, coHost }: Evening,
  players: readonly [Api, ...Api[]],
): Promise<void> {
  const [player] = players;
  const sheet = await sheetOf(coHost, slug);
  const nets = new Map(sheet.players.map(({ username, netCents }) => [username, netCents]));
  expect(nets.size).toBe(players.length);
  expect(sum([...nets.values()])).toBe(0);
  const paid = sheet.questions.map(({ paidCents }) => paidCents ?? 0);
  expect(sum(paid)).toBe(sum(sheet.questions.map(({ poolCents }) => poolCents)));
  const boardOf = async (what: string) => {
    const { leaders } = await player<LeadersAnswer>("GET", `/api/v1/scores/leaders?${what}&limit=100`);
    return new Map(leaders.map(({ username, netCents }) => [username, netCents]));
  };
  expect(await boardOf(`session_id=${slug}`)).toEqual(nets);
  const season = await boardOf("season_id=current");
  for (const [username, netCents] of nets)
    expect([username, season.get(username)]).toEqual([username, netCents]);
  const { teams } = await player<TeamsAnswer>("GET", `/api/v1/scores/teams?session_id=${slug}`);
  for (const { name, netCents } of teams) {
    const members = sheet.players.filter(({ team }) => team === name);
    expect([name, netCents]).toEqual([name, sum(members.map((each) => each.netCents))]);
  }
  const { bookCheck } = await host<{ bookCheck: BookCheckView }>("POST", "/api/v1/books/checks");
  expect(bookCheck.differencesCount).toBe(0);
}

test(
  "an evening of 20 questions from a workbook, 30 guests with names of eight scripts, two hosts, three teams, a brand and a wave of bots adds up to the cent, and can be read on the big screen",
  { tag: PROOF },
  async ({ browser, baseURL }) => {
    const origin = String(baseURL);
    const evening = await plan(browser, origin);
    const { wall, slug, code, coHost } = evening;
    // A start by mistake leads back into the lobby.
    await coHost("PUT", `/api/v1/sessions/${slug}/start`);
    await coHost("PUT", `/api/v1/sessions/${slug}/take_back_start`);
    const [ada, bo] = [
      { name: "Ada May", team: "Foxes", javaScriptEnabled: true },
      { name: "O'Brien", team: "Owls", javaScriptEnabled: false },
    ] as const;
    const withScript = await comeInBrowser(browser, evening, ada);
    const without = await comeInBrowser(browser, evening, bo);
    const byApi = await Promise.all(
      Array.from({ length: GUESTS - 2 }, (_, index) => {
        const username = `${NAMES[index % NAMES.length]} ${Math.floor(index / NAMES.length) + 1}`;
        const join = { code, team: (index % TEAMS.length) + 1, username };
        return comeFrom(browser, origin, `198.51.${index + 1}.1`, join);
      }),
    );
    await expectReadable(wall, "lobby", "lobby");
    const { session } = await coHost<{ session: SessionView }>("PUT", `/api/v1/sessions/${slug}/start`);
    if (session.active) await evening.host("PUT", `/api/v1/sessions/${slug}/deactivate`);
    await endureBots(browser, origin, evening);
    const players = [apiOf(withScript, origin), apiOf(without, origin), ...byApi] as const;
    await play(evening, players);
    await expect(wall.getByText(SPONSOR)).toBeVisible();
    await coHost("PUT", `/api/v1/sessions/${slug}/stop`);
    await expectReadable(wall, "end", "end");
    await expectTheSame(evening, [...players]);
    // Everybody sees the end with the teams and the brand.
    await expect(wall.getByText("Foxes").first()).toBeVisible();
    for (const page of withScript.pages()) await expect(page.getByText(SPONSOR).first()).toBeVisible();
  },
);
