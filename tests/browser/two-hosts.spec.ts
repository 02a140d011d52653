import { auditOf, eventsIn } from "./show-host.ts";
import { expectSound } from "./support/accessibility.ts";
import { type Page, expect, hydrated, stopClock, test } from "./support/journey.ts";
import { keysActWhileStopped, press, untilTaken } from "./support/room-keys.ts";
import {
  armedOf,
  callOn,
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

test("two hosts run actions back to back by keys, and players see what is open and what it has paid", async () => {
  const show = await stageTwoHosts({ players: 4, armedStays: true });
  await expectOnAir(show, 1);
  await letThreeWait(show);
  await seeWhatTheOtherArms(show);
  await decideInAPause(show);
  const { api, session } = show;
  await expect
    .poll(async () => (await eventsIn(api, session)).filter(isUnsettled).map(({ title }) => title))
    .toEqual([4, 5, 6].map(titleOf));
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
}

/** Nothing is paid in a pause, which leaves time to take a wrong result back. What is armed holds no other key back. */
async function decideInAPause(show: TwoHostShow): Promise<void> {
  const { ana, ben, players } = show;
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

test("what is armed disarms by itself, and with Escape, and holds nothing back; ? lists the keys", async () => {
  const { ana, api, session } = await stageTwoHosts({ players: 0 });
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
