import { expect, type Page } from "playwright/test";
import { auditOf, eventsIn } from "./show-host.ts";
import { expectSound } from "./support/accessibility.ts";
import { test } from "./support/journey.ts";
import { localTime } from "./support/local-time.ts";
import { atMoment } from "./support/page-states.ts";
import { keysActWhileStopped, press, untilTaken } from "./support/room-keys.ts";
import { stopClock } from "./support/stop-clock.ts";
import {
  armedOf,
  callOn,
  EVENTS,
  eventOf,
  expectBooks,
  expectOnAir,
  expectOutcomes,
  expectTold,
  isUnsettled,
  resolve,
  stageTwoHosts,
  titleOf,
  trayOf,
  type TwoHostShow,
  until,
} from "./support/two-host-show.ts";
import { hydrated } from "./support/write-blueprint.ts";

test("two hosts run six actions back to back by keys, and players see what is open and what it has paid", async ({
  browser,
}) => {
  const show = await stageTwoHosts(browser, { armedStays: true });
  await expectOnAir(show, 1);
  await letThreeWait(show);
  await seeWhatTheOtherArms(show);
  await decideInAPause(show);
  await delayAndSkip(show);
  await correctFromAMoment(show);
  await closeTheLast(show);
  const { api, session } = show;
  await expect
    .poll(async () => (await eventsIn(api, session)).filter(isUnsettled).map(({ title }) => title))
    .toEqual([]);
  await expectBooks(show);
  await expectOutcomes(show);
  const actors = (await auditOf(api, session)).flatMap(({ actor }) => actor?.username ?? []);
  expect(new Set(actors).size).toBe(2);
});

/** What can be undone of one action. */
const undoOf = (host: Page, number: number) =>
  host.getByRole("region", { name: "Undo" }).filter({ hasText: `${number}. ${titleOf(number)}` });

/** Three actions close, and the next one is always what is on the stage. */
async function letThreeWait(show: TwoHostShow): Promise<void> {
  const { ana, ben } = show;
  for (const number of [1, 2, 3]) {
    await callOn(show, number);
    await press(ana, "Space");
    await expectOnAir(show, number + 1);
  }
  for (const host of [ana, ben]) await expect(trayOf(host)).toHaveAccessibleName("Waits for your result (3)");
}

/** Each host arms another row, and sees what the other one is about to do, also after a reload. */
async function seeWhatTheOtherArms({ ana, ben, nameOfBen }: TwoHostShow): Promise<void> {
  const notice = `${nameOfBen} is about to call 1 Yes.`;
  await press(ben, "1", "t");
  await expect(armedOf(ben)).toContainText("Resolve 1 as Yes?");
  await expect(trayOf(ana)).toContainText(notice);
  await ana.reload();
  await hydrated(ana);
  await expect(ana.getByText(`${nameOfBen} here too`)).toBeVisible();
  await press(ana, "2", "f");
  await expect(armedOf(ana)).toContainText("Resolve 2 as No?");
  await expectSound(ana);
}

/** Nothing is paid in a pause, which leaves time to take a wrong result back. What is armed holds no other key back. */
async function decideInAPause(show: TwoHostShow): Promise<void> {
  const { ana, ben, players } = show;
  await callOn(show, 4);
  await press(ana, "p");
  await expect(ana.getByRole("button", { name: "Resume" })).toBeVisible();
  for (const page of players.pages)
    await expect(page.locator(".card").getByText("Paused by the host.")).toBeVisible();
  await press(ana, "2", "f", "Enter");
  await expect(undoOf(ana, 2)).toContainText("Result: No, pays 0:05 after the show resumes");
  await expect(undoOf(ben, 2)).toContainText(/: No, pays 0:05 after the show resumes/);
  await expectSound(ana);
  await press(ana, "1", "t");
  await expect(armedOf(ana)).toContainText("Largest win");
  await press(ana, "Enter");
  await expect(undoOf(ana, 1)).toContainText("Result: Yes, pays 0:05 after the show resumes");
  // The newest one is wrong.
  await press(ana, "u");
  await until(show, 1, ({ state, pendingResult }) => state === "closed" && pendingResult === null);
  await expect(ana.getByText("Taken back: it is undecided, and no money has moved.")).toBeAttached();
  for (const host of [ana, ben]) await expect(trayOf(host)).toHaveAccessibleName("Waits for your result (2)");
  for (const page of players.pages) await expect(page.locator(".card .announced")).toHaveCount(0);
  await press(ben, "p");
  for (const host of [ana, ben]) await expect(host.getByRole("button", { name: "Pause" })).toBeVisible();
  await expectOnAir(show, 4);
  await resolve(show, ben, 1, "f");
  await expect(trayOf(ana)).toHaveAccessibleName("Waits for your result (1)");
  await resolve(show, ana, 3, "v");
  for (const host of [ana, ben]) await expect(trayOf(host)).toBeHidden();
  // The result that was taken back has told and paid nothing: this is the other one.
  await expectTold(show, 1, [/^It went the other way: -\$5\.00/, /^\+\$5\.00You called it/]);
}

/** A delay moves the close of what is on the stage, and S skips nothing before it was looked at. */
async function delayAndSkip(show: TwoHostShow): Promise<void> {
  const { ben } = show;
  const closesMs = ({ closesAt }: { closesAt: string | null }) => Date.parse(closesAt ?? "");
  const before = closesMs(await eventOf(show, 4));
  await press(ben, "+");
  await until(show, 4, (event) => closesMs(event) === before + 10_000);
  await press(ben, "s");
  await expect(armedOf(ben)).toContainText("Skip 4?");
  await expect(armedOf(ben)).toContainText("6 calls with $30 will be refunded");
  expect((await eventOf(show, 4)).state).toBe("open");
  await press(ben, "Enter");
  await expectOnAir(show, 5);
  expect((await eventOf(show, 4)).state).toBe("hidden");
}

/** A correction that also refunds the calls from a moment on, when the answer was known. Its moment is typed. */
async function correctFromAMoment(show: TwoHostShow): Promise<void> {
  const { ana, players } = show;
  const early = await callOn(show, 5, players.apis.slice(0, 4));
  const lastMs = Math.max(...early.map(({ placedAt }) => Date.parse(placedAt)));
  const effectiveAt = new Date(Math.ceil(lastMs / 1_000) * 1_000);
  await expect.poll(() => Date.now()).toBeGreaterThan(effectiveAt.getTime());
  await callOn(show, 5, players.apis.slice(4));
  await press(ana, "Space");
  await expectOnAir(show, 6);
  // The host's clock stands, so that there is time to correct what was paid, however slow the machine is.
  const standing = atMoment(Date.now());
  await standing.enter(ana);
  await resolve(show, ana, 5, "t");
  await expect(undoOf(ana, 5)).toContainText("Paid: Yes");
  await press(ana, "u");
  await expect(armedOf(ana)).toContainText("Correct 5 to No?");
  await armedOf(ana).getByText("Exact").click();
  const exact = armedOf(ana).getByLabel(/^Exact moment/);
  await exact.fill(await localTime(ana, effectiveAt));
  await expect(armedOf(ana)).toContainText("2 calls refunded");
  // Needed on a slow machine, where the time for a correction without a reason may be over.
  await armedOf(ana)
    .locator("details")
    .evaluate((details: HTMLDetailsElement) => {
      details.open = true;
    });
  await armedOf(ana)
    .getByRole("textbox", { name: /^Reason/ })
    .fill("The whistle came first.");
  await expectTold(show, 5, [/^\+\$5\.00You called it/, /^It went the other way: -\$5\.00/]);
  // What was not seen to its end counts as not told.
  for (const page of players.pages) await expect(page.locator(".card .announced")).toHaveCount(0);
  await armedOf(ana).focus();
  await press(ana, "Enter");
  await until(show, 5, ({ result }) => result === false);
  await standing.leave(ana);
  expect((await eventOf(show, 5)).plan?.decided?.effectiveAt).toBe(effectiveAt.toISOString());
  await expectTold(show, 5, [
    /^Corrected to No: \$10\.00 taken back, net -\$5\.00/,
    /^Corrected to No: \$10\.00 more, net \+\$5\.00/,
  ]);
  await callOn(show, 6);
}

/** The last action is closed with C, and stays on the stage until it is decided. */
async function closeTheLast(show: TwoHostShow): Promise<void> {
  const { ana, players } = show;
  await press(ana, "c");
  await until(show, EVENTS, ({ state }) => state === "closed");
  for (const page of players.pages) await expect(page.getByText("Calls are closed")).toBeVisible();
  await expect(ana.locator("#on-stage")).toHaveText(titleOf(EVENTS));
  await press(ana, "t");
  await expect(armedOf(ana)).toContainText(`Resolve ${EVENTS} as Yes?`);
  await press(ana, "Enter");
  // The result is pending for a few seconds.
  for (const page of players.pages)
    await expect(page.locator(".card")).toContainText(
      /Result: Yes, pays in|You called it|It went the other way/,
    );
}

test("what is armed disarms by itself, and with Escape, and holds nothing back; ? lists the keys", async ({
  browser,
}) => {
  const { ana, api, session } = await stageTwoHosts(browser, { players: 0 });
  await ana.clock.install();
  await ana.reload();
  await hydrated(ana);
  await stopClock(ana);
  const arm = () => untilTaken(ana, () => ana.keyboard.press("t"), keysActWhileStopped);
  await arm();
  await expect(armedOf(ana)).toContainText(/disarms in [89] s/);
  await ana.clock.runFor(4_000);
  await ana.keyboard.press("Shift");
  await ana.clock.runFor(4_000);
  await expect(armedOf(ana)).toBeVisible();
  await ana.clock.runFor(5_000);
  await expect(armedOf(ana)).toBeHidden();
  await expect(ana.locator("#on-stage")).toBeFocused();

  await arm();
  await ana.getByRole("textbox", { name: "Question" }).last().fill("Will it stop?");
  await ana.getByRole("textbox", { name: "Question" }).last().press("f");
  await expect(armedOf(ana)).toContainText("Resolve 1 as Yes?");
  await ana.keyboard.press("Escape");
  await expect(armedOf(ana)).toBeHidden();
  await ana.getByRole("heading", { name: titleOf(1), level: 2 }).click();
  await ana.keyboard.press("?");
  await expect(ana.getByRole("dialog", { name: "Keys" })).toContainText("take the newest result back");
  expect((await eventsIn(api, session))[0]).toMatchObject({ state: "open", pendingResult: null });
});
