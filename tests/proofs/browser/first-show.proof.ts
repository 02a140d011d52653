import { expect, test } from "bun:test";
import path from "node:path";
import { chromium, type Page, request } from "playwright";
import { desk, phone } from "#tests/browser/players.ts";
import { type Api, apiOf } from "#tests/browser/show-host.ts";
import { figure } from "#tests/prove/figure.ts";
import { runCommand } from "#tests/run/command.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { chromiumFlags, requireShell } from "#tests/support/chromium.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// A newcomer with an empty product and twenty questions in a spreadsheet: by the pages alone to a show that runs, with a beamer, a
// source of OBS, and thirty guests who come by the code. A picture of each screen is in test-results/first-show.

const PICTURES = path.join(import.meta.dir, "../../../test-results/first-show");
const WITHIN_MS = 600_000;
const GUESTS = 30;
const QUESTIONS = 20;
const PASSWORD = "a long enough sentence";
const projector = { width: 1_920, height: 1_080 };
const FIRST = 'Rain, or "snow", before ten?';
/** As a spreadsheet copies its cells: a header, numbers, an empty cell, a quoted cell with a comma. */
const CELLS = [
  "Question\tTrue\tFalse\tSeconds",
  '"1. Rain, or ""snow"", before ten?"\tYes\tNo\t30',
  ...Array.from(
    { length: QUESTIONS - 1 },
    (_, index) => `${index + 2}. Does number ${index + 2} happen?\t\t\t30`,
  ),
].join("\n");

const { dataDir, remove } = makeDataFolder();
const product = startProduct(dataDir, { DEMO: "off" });
const browser = await chromium.launch({
  executablePath: requireShell(),
  args: chromiumFlags,
});
const url = await product.url;
afterFile(async () => {
  await browser.close();
  product.kill("SIGTERM");
  await product.exited;
  remove();
});

/** A page at the product, and what its person has done: each press and each filled field is a step. */
async function person(viewport: { width: number; height: number }) {
  const page = await (await browser.newContext({ viewport, baseURL: url })).newPage();
  let steps = 0;
  const press = async (role: "button" | "link", name: string | RegExp, within?: string) => {
    steps += 1;
    const place = within === undefined ? page : page.locator(within);
    await place
      .getByRole(role, { name, exact: typeof name === "string" })
      .first()
      .click();
  };
  const fill = async (label: string, text: string) => {
    steps += 1;
    await page.getByLabel(label, { exact: true }).fill(text);
  };
  return { page, press, fill, steps: () => steps };
}

type Person = Awaited<ReturnType<typeof person>>;

/** Guests who come by the code, all but one. */
async function guestsCome(code: string): Promise<void> {
  for (let index = 1; index < GUESTS; index += 1) {
    const guest: Api = apiOf({ request: await request.newContext() }, url);
    await guest("POST", "/api/v1/joins", {
      join: { code, username: `Player_${index}`, face: (index % 24) + 1 },
    });
  }
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}

/** The link of the first admin, whose page says what comes next. */
async function signIn(nora: Person): Promise<void> {
  const settings = { DATA_DIR: dataDir, PUBLIC_URL: url };
  const { output } = await runCommand(["admin", "nora@example.com", "Nora"], settings);
  await nora.page.goto(/http\S+/.exec(output)?.[0] ?? "");
  await nora.fill("New password", PASSWORD);
  await nora.fill("New password again", PASSWORD);
  await nora.press("button", "Change my password");
  await nora.page.getByText("You are Nora on every screen.").waitFor();
  await picture(nora.page, "1-first-steps");
}

/** From the cells to a session in its control room. */
async function plan(nora: Person): Promise<void> {
  await nora.press("link", "Make a blueprint");
  await nora.page.getByRole("heading", { name: "New blueprint" }).waitFor();
  await nora.fill("Text", CELLS);
  await nora.fill("Call it", "Opening night");
  await nora.page.getByRole("region", { name: "What was understood" }).getByText(FIRST).waitFor();
  await picture(nora.page, "2-pasted");
  await nora.press("button", "Bring it in");
  await nora.page.getByText("Brought in.").waitFor();
  await picture(nora.page, "3-editor");
  await nora.press("button", "Generate session");
  await nora.press("button", "Generate session", "form#generate");
  await nora.page.getByRole("button", { name: "Start", exact: true }).waitFor();
  await picture(nora.page, "4-room-before");
}

/** The links of the invitation, each opened where it belongs. */
async function invite(nora: Person) {
  await nora.press("button", "Invite");
  const dialog = nora.page.getByRole("dialog", { name: "Invite players" });
  const valueOf = (name: string) => dialog.getByRole("textbox", { name, exact: true }).inputValue();
  await waitFor("the stage link", async () =>
    (await valueOf("Stage link")).includes("/stage?key=") ? true : null,
  );
  await picture(nora.page, "5-invite");
  const [wall, obs] = [await person(projector), await person(projector)];
  await wall.page.goto(await valueOf("Stage link"));
  await obs.page.goto(await valueOf("Link for OBS"));
  const joinUrl = await valueOf("Link for players");
  await nora.press("button", "Close");
  await guestsCome(new URL(joinUrl).searchParams.get("code") ?? "");
  const guest = await person(phone);
  await guest.page.goto(joinUrl);
  await guest.fill("Your name", "Zoe_9");
  await guest.press("button", "Play now");
  await wall.page.getByText("Zoe_9").first().waitFor();
  await picture(wall.page, "6-lobby");
  await guest.page.getByText(String(GUESTS), { exact: true }).waitFor();
  await picture(guest.page, "7-guest-waits");
  return { wall, obs, guest };
}

test(
  "a newcomer has a running show with beamer, OBS and thirty guests in minutes, by the pages alone",
  async () => {
    const startedMs = performance.now();
    const nora = await person(desk);
    await signIn(nora);
    await plan(nora);
    const { wall, obs, guest } = await invite(nora);
    await nora.press("button", "Start");
    await nora.press("button", "Start the show");
    for (const { page } of [wall, obs, guest]) await page.getByText(FIRST).first().waitFor();
    await guest.page.getByRole("radio", { name: /You think Yes/ }).click();
    await guest.page.getByText(/Placed \d+:\d\d:\d\d/).waitFor();
    const minutes = (performance.now() - startedMs) / 60_000;
    await picture(wall.page, "8-beamer");
    await picture(obs.page, "9-obs");
    await picture(guest.page, "10-guest-called");
    await picture(nora.page, "11-room");
    figure(
      `from an empty product to the first call: ${nora.steps()} steps of the host, ${guest.steps() + 1} of a guest, ${minutes.toFixed(1)} minutes`,
    );
    expect(minutes).toBeLessThan(10);
  },
  WITHIN_MS,
);
