import { type Page, expect, test } from "../support/journey.ts";
import { keysAct, press } from "../support/room-keys.ts";
import {
  armedOf,
  eventOf,
  expectOnAir,
  stageTwoHosts,
  trayOf,
  type TwoHostShow,
} from "../support/two-host-show.ts";

const decided = "Disarmed: action 1 was decided meanwhile.";
/** The page may learn of several steps at once. */
const playedAgain = /^Disarmed: action 1 (was reset|changed)/;

test("what one host has armed is over for good once another host decides it or plays another round, and takes neither focus nor letters", async () => {
  const show = await stageTwoHosts({ players: 0, armedStays: true });
  // Nothing is paid while this test runs.
  await show.api("PATCH", `/api/v1/sessions/${show.session.slug}`, {
    session: { settings: { settlement_delay_seconds: 600 } },
  });
  const { id } = await eventOf(show, 1);
  await show.api("PUT", `/api/v1/events/${id}/advance`, { event: {} });
  await expectOnAir(show, 2);
  await decideMeanwhile(show);
  await resetWhileTyping(show);
});

/** What a host types into a field stays there, and no key acts on what is over. */
async function decideMeanwhile(show: TwoHostShow): Promise<void> {
  const { ben } = show;
  await armNo(ben);
  const question = ben.getByRole("textbox", { name: "Question" }).last();
  await question.click();
  await change(show, { state_event: "resolve", result: true });
  await expect(ben.getByText(decided)).toBeVisible();
  await change(show, { state_event: "withdraw" });
  await expectUndecided(show);
  await question.pressSequentially("Tip off, past S.");
  await expect(question).toBeFocused();
  await expect(question).toHaveValue("Tip off, past S.");
  await pressInVain(await backInRoom(ben), "Enter");
  await expectUndecided(show);
}

/** Letters that a host is typing into what is armed do nothing in the room. */
async function resetWhileTyping(show: TwoHostShow): Promise<void> {
  const { ben } = show;
  await armNo(ben);
  await armedOf(ben)
    .locator("details")
    .evaluate((details: HTMLDetailsElement) => {
      details.open = true;
    });
  const reason = armedOf(ben).getByRole("textbox", { name: /reason/i });
  await reason.pressSequentially("The whistle ");
  await change(show, { state_event: "reset" });
  await expect(ben.getByText(playedAgain)).toBeFocused();
  const before = await eventOf(show, 2);
  await expect(ben.locator("main")).toHaveAttribute("data-keys", "off");
  await ben.keyboard.type("stops play first ");
  await press(await backInRoom(ben), "t");
  // The first key that does something is the one after Escape.
  await expect(armedOf(ben)).toContainText("Resolve 2 as Yes?");
  expect(await eventOf(show, 2)).toMatchObject({ state: "open", version: before.version });
  await expect(ben.getByText("Running", { exact: true })).toBeVisible();
}

/** Arms No for the first action, which waits in the tray. */
async function armNo(host: Page): Promise<void> {
  await press(host, "1", "f");
  await expect(armedOf(host)).toContainText("Resolve 1 as No?");
}

/** Presses a key that could act, where nothing is armed for it. */
async function pressInVain(host: Page, key: string): Promise<void> {
  await keysAct(host);
  await host.keyboard.press(key);
}

/** Gives the room the focus. */
async function backInRoom(host: Page): Promise<Page> {
  await host.keyboard.press("Escape");
  await expect(host.locator("main")).toBeFocused();
  return host;
}

/** The other host, who works by the API, changes the first action. */
async function change(show: TwoHostShow, event: object): Promise<void> {
  const { id } = await eventOf(show, 1);
  await show.api("PATCH", `/api/v1/events/${id}/state`, { event });
}

/** The first action waits for a result, nothing is armed for it, and the host knows that. */
async function expectUndecided(show: TwoHostShow): Promise<void> {
  await expect(trayOf(show.ben)).toHaveAccessibleName("Waits for your result (1)");
  await expect(armedOf(show.ben)).toBeHidden();
  expect(await eventOf(show, 1)).toMatchObject({ state: "closed", pendingResult: null, result: null });
}
