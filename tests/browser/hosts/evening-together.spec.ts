import { writeXlsx } from "#src/base/xlsx.ts";
import type { BookCheckView } from "#src/books/schemas.ts";
import type { LeadersAnswer } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import type { BlueprintView, PlanFile } from "#src/show/blueprints/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { WavesAnswer } from "#src/show/join-codes/schemas.ts";
import type { ResultsSheet } from "#src/show/results-sheet/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiAs, desk, newPage, signedIn } from "../players.ts";
import { type Api, apiOf, eventsIn, newApi } from "../show-host.ts";
import { expectWhole } from "../support/boxes.ts";
import { PROOF, type Page, expect, test } from "../support/journey.ts";
import { change, joinCodeOf } from "../support/own-show.ts";
import { sendPicture } from "../support/send-picture.ts";
import { callSide, decide } from "../support/two-device-show.ts";

const TEAMS = ["Foxes", "Owls", "Bears"];
const SPONSOR = "With Corner Bakery";
/** Names of guests in eight scripts. */
const NAMES = ["Zoë", "Ελένη", "Олена", "נועה", "ليلى", "आशा", "李雷", "さくら"];
const GUESTS = 28;
const BOTS = 40;
const PICTURES = 3;
/** Twenty results of at least 5 s. */
const TOLD_MS = 180_000;
const EXPLANATION =
  "The harbour master has it in writing, and three of us saw it from the roof of the bakery.";

/** The questions as a host has them in a workbook, their results, and what replaces the first of them. */
const QUESTIONS = Array.from({ length: 20 }, (_, index) => ({
  title: `Does the ${index % 2 === 0 ? "train" : "ferry"} of day ${index + 1} leave in time?`,
  result: index === 4 ? ("void" as const) : index % 3 !== 0,
  corrected: index === 0 ? true : undefined,
}));

type Evening = {
  slug: string;
  id: number;
  code: string;
  host: Api;
  coHost: Api;
  events: readonly EventView[];
};

/** A private show of a list from a workbook, with pictures, a brand and three teams. Cleo hosts it too, and no other. */
async function plan(): Promise<Evening & { stage: Page }> {
  const stage = await signedIn("admin", { viewport: desk });
  const host = apiOf(stage);
  const { blueprintEvents, id: blueprintId } = await bringList(host);
  for (const { id } of blueprintEvents.slice(0, PICTURES)) {
    const picture = await sendPicture(host, stage, { width: 1_600, height: 900 });
    const event = { picture, picture_alt: "The quay in the evening" };
    await host("PATCH", `/api/v1/blueprint_events/${id}`, { blueprint_event: event });
  }
  const defaults = {
    private: true,
    teams: TEAMS,
    settlement_delay_seconds: 0,
    brand: { accent: "#0072b3", sponsor: SPONSOR },
  };
  await host("PATCH", `/api/v1/blueprints/${blueprintId}`, { blueprint: { defaults } });
  const { session } = await host<{ session: SessionView }>(
    "POST",
    `/api/v1/blueprints/${blueprintId}/generate_session`,
  );
  const { id, slug } = session;
  await host("POST", `/api/v1/sessions/${slug}/session_hosts`, { session_host: { user: "cleo" } });
  const joinCode = await joinCodeOf(host, session);
  const coHost = await apiAs("cleo");
  await stage.goto(`/sessions/${slug}/stage`);
  return { slug, id, code: joinCode.code, host, coHost, stage, events: await eventsIn(host, session) };
}

/** Brings the workbook in, as the file of a host. Nothing of it is left out but its header. */
async function bringList(host: Api): Promise<BlueprintView> {
  const rows = QUESTIONS.map(({ title }, index) => [
    title,
    "In time",
    "Late",
    600,
    "by hand",
    EXPLANATION,
    `Note ${index + 1}`,
  ]);
  const head = ["question", "true label", "false label", "seconds", "start", "explanation", "host note"];
  const pieces = await Array.fromAsync(writeXlsx([{ name: "Evening", rows: [head, ...rows] }]));
  const bytes = Buffer.concat(pieces).toString("base64");
  const { planFile } = await host<{ planFile: PlanFile }>("POST", "/api/v1/blueprints/read_file", {
    file: { bytes },
  });
  const { blueprint, leftOut } = await host<{ blueprint: BlueprintView; leftOut: { why: string }[] }>(
    "POST",
    "/api/v1/blueprints/import",
    { blueprint: { text: planFile.text, name: `Evening ${Date.now()}` } },
  );
  expect(leftOut.map(({ why }) => why)).toEqual(["the header"]);
  expect(blueprint.blueprintEvents).toHaveLength(QUESTIONS.length);
  return blueprint;
}

/** Programs come in by the code, and a host removes all of them at once. */
async function expectWaveRemoved({ host, slug, code }: Evening): Promise<void> {
  for (let number = 0; number < BOTS; number += 1) await comeByApi(code, `bot ${number}`);
  const { arrived, meta } = await host<WavesAnswer>("GET", `/api/v1/sessions/${slug}/waves`);
  const [wave] = arrived;
  expect(wave?.count).toBe(BOTS);
  await host("DELETE", `/api/v1/sessions/${slug}/waves/${wave?.id}?until=${meta.serverTime}`);
}

/** A player who comes by the code in a browser, chooses a team and a name. */
async function comeInBrowser(
  { slug, code }: Evening,
  options: { name: string; team: string; javaScriptEnabled: boolean },
): Promise<Page> {
  const { name, team, javaScriptEnabled } = options;
  const page = await newPage({ javaScriptEnabled });
  await page.goto(`/join?code=${code}`);
  await expect(page.getByText(SPONSOR)).toBeVisible();
  await page.getByRole("radio", { name: new RegExp(team) }).check();
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Play now" }).click();
  await expect(page).toHaveURL(new RegExp(`/sessions/${slug}$`));
  return page;
}

/** A guest without a page. The number of a name makes it one of its own. */
async function comeByApi(code: string, name: string, team?: number): Promise<Api> {
  const api = await newApi();
  const username = `${name} ${Date.now() % 1e6}`;
  await api("POST", "/api/v1/joins", { join: { code, team, username } });
  return api;
}

/** The hosts take turns. Before the last question one of them stops the show by mistake, and takes it back. */
async function play(evening: Evening & { stage: Page }, players: readonly Api[]): Promise<void> {
  const { events, host, coHost, slug } = evening;
  for (const [index, event] of events.entries()) {
    const turn = index % 2 === 0 ? host : coHost;
    const { result, corrected } = QUESTIONS[index] ?? { result: true };
    await change(turn, event, { state_event: "publish_event" });
    await change(turn, event, { state_event: "open_event" });
    await Promise.all(
      players.map((player, number) =>
        callSide(player, event, (number + index) % 3 === 0 ? "false" : "true", 1 + (number % 4)),
      ),
    );
    if (index === 0) await expectScene(evening.stage, "question", ".shown-picture img");
    await change(turn, event, { state_event: "close_event" });
    await decide({ host: turn }, event, result);
    if (corrected !== undefined) {
      await expectScene(evening.stage, "result", `text=${EXPLANATION}`);
      await untilPaid(evening, event.id);
      await decide({ host: turn }, event, corrected, "The roof was wet");
      await expectScene(evening.stage, "result", '.stage-result:has-text("The roof was wet")');
    }
    await untilPaid(evening, event.id);
    if (index === 0) {
      await host("PUT", `/api/v1/sessions/${slug}/stage_leaders`, { leaders: { shown: true } });
      await expectScene(evening.stage, "between", ".leaders li");
    }
    if (index !== events.length - 2) continue;
    await coHost("PUT", `/api/v1/sessions/${slug}/stop`);
    await host("PUT", `/api/v1/sessions/${slug}/take_back_stop`);
  }
}

/** The big screen shows this part in its scene, and all of it can be read. */
async function expectScene(stage: Page, scene: string, part: string): Promise<void> {
  // It tells one result after the other, each for its time.
  await expect(stage.locator(".big-screen")).toHaveAttribute("data-scene", scene, { timeout: TOLD_MS });
  await expect(stage.locator(part).first()).toBeVisible();
  await expectWhole(stage, scene);
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
  "an evening of two hosts, three teams and thirty guests of eight scripts in a private show of a workbook, up to the season's table and the sheet",
  { tag: PROOF },
  async () => {
    test.slow();
    const evening = await plan();
    const { stage, slug, coHost, code } = evening;
    await expectWaveRemoved(evening);
    const name = (of: string) => `${of}_${Date.now() % 1e8}`;
    const ada = { name: name("ada"), team: "Foxes", javaScriptEnabled: true };
    const bo = { name: name("bo"), team: "Owls", javaScriptEnabled: false };
    const withScript = await comeInBrowser(evening, ada);
    const without = await comeInBrowser(evening, bo);
    const byApi: Api[] = [];
    for (let number = 0; number < GUESTS; number += 1) {
      const of = `${NAMES[number % NAMES.length]} ${number}`;
      byApi.push(await comeByApi(code, of, (number % TEAMS.length) + 1));
    }
    const players = [apiOf(withScript), apiOf(without), ...byApi] as const;
    await expectScene(stage, "lobby", ".lobby bdi");
    await coHost("PUT", `/api/v1/sessions/${slug}/start`);
    await play(evening, players);
    await expect(stage.getByText(SPONSOR)).toBeVisible();
    await coHost("PUT", `/api/v1/sessions/${slug}/stop`);
    await expectTheSame(evening, [...players]);
    await expectScene(stage, "end", ".final-podium li");
    // Everybody sees the end with the teams and the brand.
    await expect(stage.getByText("Foxes").first()).toBeVisible();
    await expect(withScript.getByText(SPONSOR).first()).toBeVisible();
  },
);
