import { expect, test } from "bun:test";
import { chromium, type Page } from "playwright";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { chromiumFlags, requireShell } from "#tests/support/chromium.ts";
import { faults } from "./faults.ts";
import { startWholeProduct } from "./whole-product.ts";

// An operator's evening: six things go wrong at once. The operators' home is all that the operator reads, from the first sign to the
// cure, causes first.
const TEST_WITHIN_MS = 600_000;
const SEEN_WITHIN_MS = 60_000;
/** A mail that the killed worker was sending is sent again after two minutes: it may have arrived. */
const GONE_WITHIN_MS = 150_000;

const product = await startWholeProduct();
const { origin } = product.web;
const executablePath = requireShell();
const browser = await chromium.launch({ executablePath, args: chromiumFlags });
afterFile(() => browser.close());

const faultOf = (name: string) => {
  const fault = faults.find((each) => each.name === name);
  if (fault === undefined) throw new Error(`There is no fault ${name}.`);
  return { begin: () => fault.begin(product), end: () => fault.end(product) };
};

/** Opens the operators' home as an admin. */
async function openHome(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const cookies = (product.credentials["cookie"] ?? "").split("; ").map((cookie) => {
    const [name = "", ...value] = cookie.split("=");
    return { name, value: value.join("="), url: origin };
  });
  await context.addCookies(cookies);
  const page = await context.newPage();
  // The first visit may wait for the browser's files.
  await page.goto(`${origin}/admin`, { timeout: SEEN_WITHIN_MS });
  return page;
}

const page = await openHome();
const home = page.getByRole("main");
const now = home.locator("section", { hasText: "Is anything wrong?" });
const sees = (text: string | RegExp) => now.getByText(text).first().waitFor({ timeout: SEEN_WITHIN_MS });
const press = (name: RegExp) => home.getByRole("button", { name }).click();

/** In the order in which they stand on the page: causes before what may follow from them. */
const titles = [
  "Redis refuses what is asked of it",
  "No worker runs",
  "A queue is paused",
  "Some work fails again and again",
  "Mails are not sent",
  "A webhook takes no messages",
] as const;

async function goWrong(): Promise<void> {
  await press(/Pause\s*: Push messages/);
  for (const name of ["mail server: stopped", "webhook: its receiver answers 500", "result: does not pay"])
    await faultOf(name).begin();
  await sees("A webhook takes no messages");
  await faultOf("worker: killed").begin();
  await sees("No worker runs");
  await faultOf("Redis: its memory is full").begin();
  for (const title of titles) await sees(title);
}

/** Cures something, and waits until the page says it no more. */
async function cure(title: (typeof titles)[number], work: () => unknown): Promise<void> {
  const startedAtMs = performance.now();
  await work();
  await now.getByText(title).first().waitFor({ state: "detached", timeout: GONE_WITHIN_MS });
  const seconds = (performance.now() - startedAtMs) / 1_000;
  figure(`"${title}" is gone ${seconds.toFixed(1)} s after its cure began`);
}

test(
  "an operator reads six faults on one page, causes first, cures them one after the other, and reads that all is well",
  async () => {
    await sees("All is well");
    await goWrong();
    await sees(/Players notice it/);
    const listed = await now.locator("li > div > b").allTextContents();
    const places = titles.map((title) => listed.indexOf(title));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const text = await now.innerText();
    for (const said of [
      "Raise maxmemory",
      "Start the worker",
      "an admin resumes it",
      "a fault that is planted",
    ])
      expect(text).toContain(said);
    await home.getByText("Scoreboard takes no messages").waitFor();

    await cure("Redis refuses what is asked of it", faultOf("Redis: its memory is full").end);
    await cure("No worker runs", faultOf("worker: killed").end);
    await cure("A queue is paused", () => press(/Resume\s*: Push messages/));
    await cure("Some work fails again and again", async () => {
      await faultOf("result: does not pay").end();
      await press(/Try now/);
    });
    await cure("Mails are not sent", async () => {
      await faultOf("mail server: stopped").end();
      await press(/Send now\s*: Mails/);
    });
    await cure("A webhook takes no messages", faultOf("webhook: its receiver answers 500").end);
    await sees(/All is well|Every part works/);
    const past = [
      "The queue pushes was paused",
      "No worker runs: over after",
      "Mails are not sent: over after",
    ];
    for (const happened of past) await home.getByText(happened).first().waitFor();
  },
  TEST_WITHIN_MS,
);
