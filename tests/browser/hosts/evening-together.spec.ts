import { type Browser, type BrowserContext, expect, type Page } from "playwright/test";
import type { BookCheckView } from "#src/books/schemas.ts";
import type { LeadersAnswer } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import type { ResultsSheet } from "#src/show/results-sheet/schemas.ts";
import { desk, phone, signedIn } from "../players.ts";
import { type Api, apiOf } from "../show-host.ts";
import { PROOF, test } from "../support/journey.ts";
import { ask, change, planSession } from "../support/own-show.ts";
import { callSide, decide } from "../support/two-device-show.ts";

const TEAMS = ["Foxes", "Owls", "Bears"];
const BY_API = 10;
const SPONSOR = "With Corner Bakery";
/** Of each question: its result, and what replaces it. */
const QUESTIONS = [
  { title: "Does the train leave in time?", result: true },
  { title: "Is there cake?", result: false },
  { title: "Who sings first?", result: "void" as const },
  { title: "Will it rain before ten?", result: true, corrected: false },
];

type Evening = { slug: string; id: number; code: string; host: Api; coHost: Api };

/** A private show with a brand and three teams. Cleo hosts it too, and no other. */
async function plan(browser: Browser, origin: string): Promise<Evening & { stage: Page }> {
  const stage = await signedIn(browser, "admin", { viewport: desk });
  const host = apiOf(stage.context(), origin);
  const session = await planSession(host, "Evening", {
    private: true,
    teams: TEAMS,
    settlement_delay_seconds: 0,
    brand: { accent: "#0072b3", sponsor: SPONSOR },
  });
  const { id, slug } = session;
  await host("POST", `/api/v1/sessions/${slug}/session_hosts`, { session_host: { user: "cleo" } });
  const { joinCode } = await host<{ joinCode: { code: string } }>(
    "GET",
    `/api/v1/sessions/${slug}/join_code`,
  );
  const cleo = await signedIn(browser, "cleo", { viewport: desk });
  const coHost = apiOf(cleo.context(), origin);
  await coHost("PUT", `/api/v1/sessions/${slug}/start`);
  await stage.goto(`/sessions/${slug}/stage`);
  return { slug, id, code: joinCode.code, host, coHost, stage };
}

/** A player who comes by the code in a browser, chooses a team and a name. */
async function comeInBrowser(
  browser: Browser,
  { slug, code }: Evening,
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

async function comeByApi(browser: Browser, origin: string, code: string, number: number): Promise<Api> {
  const api = apiOf(await browser.newContext(), origin);
  const name = `eve_${number}_${Date.now() % 1e7}`;
  await api("POST", "/api/v1/joins", { join: { code, team: (number % TEAMS.length) + 1, username: name } });
  return api;
}

/** The hosts take turns. */
async function play(evening: Evening, players: readonly Api[]): Promise<void> {
  for (const [index, { title, result, corrected }] of QUESTIONS.entries()) {
    const turn = index % 2 === 0 ? evening.host : evening.coHost;
    const event = await ask(turn, evening.id, title);
    for (const [number, player] of players.entries())
      await callSide(player, event, (number + index) % 3 === 0 ? "false" : "true", 1 + (number % 4));
    await change(turn, event, { state_event: "close_event" });
    await decide({ host: turn }, event, result);
    if (corrected !== undefined) {
      await untilPaid(evening, event.id);
      await decide({ host: turn }, event, corrected, "The roof was wet");
    }
    await untilPaid(evening, event.id);
  }
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
  "an evening of two hosts, three teams and twelve players in a private show with a brand, up to the season's table and the sheet",
  { tag: PROOF },
  async ({ browser, baseURL }) => {
    const origin = String(baseURL);
    const evening = await plan(browser, origin);
    const { stage, slug, coHost } = evening;
    const name = (of: string) => `${of}_${Date.now() % 1e8}`;
    const ada = { name: name("ada"), team: "Foxes", javaScriptEnabled: true };
    const bo = { name: name("bo"), team: "Owls", javaScriptEnabled: false };
    const withScript = await comeInBrowser(browser, evening, ada);
    const without = await comeInBrowser(browser, evening, bo);
    const byApi: Api[] = [];
    for (let number = 0; number < BY_API; number += 1)
      byApi.push(await comeByApi(browser, origin, evening.code, number));
    const players = [apiOf(withScript, origin), apiOf(without, origin), ...byApi] as const;
    await play(evening, players);
    await expect(stage.getByText(SPONSOR)).toBeVisible();
    await coHost("PUT", `/api/v1/sessions/${slug}/stop`);
    await expectTheSame(evening, [...players]);
    // Everybody sees the end with the teams and the brand.
    await expect(stage.getByText("Foxes").first()).toBeVisible();
    for (const page of withScript.pages()) await expect(page.getByText(SPONSOR).first()).toBeVisible();
  },
);
