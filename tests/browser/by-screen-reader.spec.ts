import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiAs, newPage } from "./players.ts";
import { type Api, newGuest } from "./show-host.ts";
import { type Page, expect, hydrated, test } from "./support/journey.ts";
import { ask, change, runSession } from "./support/own-show.ts";
import { openScreenReader, type ScreenReader } from "./support/screen-reader.ts";
import { callSide } from "./support/two-device-show.ts";

const CLOSE = /^Close this result$/;

test("with the accessibility tree alone a guest joins, calls, hears the result and reads the rank", async () => {
  const api = await apiAs("admin");
  const session = await runSession(api, "Heard");
  const event = await ask(api, session.id, "Will it be heard?");
  const other = await newGuest();

  const page = await newPage();
  const reader = await openScreenReader(page);
  const said = await recordSpeech(page);
  await page.goto("/users/sign_in");
  await reader.press("button", /^(Play|Join) now$/);
  // The live session of the demo comes first; the link to this one was sent to the guest.
  await expect(page).toHaveURL(/\/sessions\//);
  await page.goto(`/sessions/${session.slug}`);

  await expect.poll(() => reader.finds("heading", /^Will it be heard\?$/)).toBe(true);
  await expect.poll(() => reader.finds("timer", /^Closes in 1\d:\d\d$/)).toBe(true);
  // The clock is read when the player comes to it, and not with each tick.
  expect(await reader.hears()).not.toMatch(/\d:\d\d|to close/);
  expect(await reader.read("radio", /True/)).toMatch(/^You think True\. First call$/);
  expect(await reader.isChecked("radio", /True/)).toBe(false);
  await hydrated(page);
  await expect.poll(() => reader.canPress("radio", /^You think True\./)).toBe(true);
  await reader.press("radio", /True/);
  await expect.poll(() => reader.isChecked("radio", /True/)).toBe(true);
  await expect.poll(() => reader.finds("button", /^Cancel$/)).toBe(true);

  await callSide(other, event, "false");
  await change(api, event, { state_event: "resolve", result: true });
  await expect.poll(reader.hears).toMatch(/You won \$\d+\.\d\d\. True\./);
  await expect.poll(() => reader.finds("button", /^My rank: 1 of 2\b/)).toBe(true);

  // The next result comes while another action is open already: the result bar says it.
  const second = await ask(api, session.id, "Will it be told?");
  await expect.poll(reader.hears).toContain("Will it be told?");
  // The sides take no press before anybody can have heard the question, and for a moment after a call.
  await expect.poll(() => reader.canPress("radio", /^You think True\./)).toBe(true);
  await reader.press("radio", /True/);
  await expect.poll(() => reader.finds("button", /^Cancel$/)).toBe(true);
  await callSide(other, second, "false");
  await change(api, second, { state_event: "close_event" });
  const third = await ask(api, session.id, "And what now?");
  await expect.poll(() => reader.finds("heading", /^And what now\?$/)).toBe(true);
  await change(api, second, { state_event: "resolve", result: true });
  await expect.poll(reader.hears).toMatch(/You called it: \+\$\d+\.\d\d, 2 in a row\. Will it be told\?/);
  await expect.poll(() => reader.finds("heading", /^And what now\?$/)).toBe(true);

  await hearOtherOutcomes(reader, { api, other, session, open: third });
  await test.step("each result was said once, and nothing was overwritten", async () => {
    const results = (await said()).filter((text) => /You won|called it|other way|Called off/.test(text));
    expect(results).toHaveLength(5);
    expect(new Set(results).size).toBe(5);
  });
});

/** Records what is added to the live regions, as a screen reader would read it. @returns all that was said so far. */
async function recordSpeech(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const region = target instanceof Element ? target : target.parentElement;
        if (region?.closest("[aria-live]") === null) continue;
        for (const node of addedNodes) said.push(node.textContent ?? "");
      }
    }).observe(document, { subtree: true, childList: true });
  });
  return async () => page.evaluate<string[]>("said");
}

type Heard = { api: Api; other: Api; session: SessionView; open: EventView };

/** A loss, an action that is called off, and the result of one that the guest did not call, while others are open already. */
async function hearOtherOutcomes(reader: ScreenReader, { api, other, session, open }: Heard): Promise<void> {
  const goOn = async (event: EventView, title: string) => {
    await callSide(other, event, "false");
    await change(api, event, { state_event: "close_event" });
    const next = await ask(api, session.id, title);
    await expect.poll(reader.hears).toContain(`Open: ${title}`);
    return next;
  };
  const callTrue = async () => {
    await expect.poll(() => reader.canPress("radio", /^You think True\./)).toBe(true);
    await reader.press("radio", /True/);
    await expect.poll(() => reader.finds("button", /^Cancel$/)).toBe(true);
  };
  // A place takes no press for a second after its control has changed.
  const closeResultBar = () =>
    expect
      .poll(async () => {
        const isThere = await reader.finds("button", CLOSE);
        if (isThere) await reader.press("button", CLOSE);
        return isThere;
      })
      .toBe(false);
  await closeResultBar();
  await callTrue();
  const fourth = await goOn(open, "And after that?");
  await callTrue();
  const fifth = await goOn(fourth, "And without you?");
  await goOn(fifth, "The last one?");
  await change(api, open, { state_event: "resolve", result: false });
  await expect.poll(reader.hears).toContain("It went the other way: -$1.00. And what now?");
  await closeResultBar();
  await change(api, fourth, { state_event: "resolve", result: "void", reason: "Rained off." });
  await expect.poll(reader.hears).toContain("Called off, $1.00 is back: Rained off. And after that?");
  await change(api, fifth, { state_event: "resolve", result: false });
  await expect.poll(reader.hears).toContain("False: 1 of 1 called it. And without you?");
}
