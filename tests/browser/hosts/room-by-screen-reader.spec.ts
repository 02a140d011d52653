import { desk, signedIn } from "../players.ts";
import { apiOf } from "../show-host.ts";
import { type Page, expect, openLive, test } from "../support/journey.ts";
import { letArmedStay, untilTaken } from "../support/room-keys.ts";
import { focused, openScreenReader, type ScreenReader } from "../support/screen-reader.ts";
import { planQuestions } from "../support/two-host-show.ts";

/** Nothing is paid while a test runs. */
const settings = { settlement_delay_seconds: 600, lead_seconds: 0 };

/** What a host does with a control, what has the focus afterwards, and what is heard. */
type Step = {
  press: readonly [role: string, name: RegExp];
  /** Keys after it, such as an answer to a question. */
  keys?: readonly string[];
  /** The first words of what has the focus. */
  focus: string | RegExp;
  hears?: RegExp;
};

/** Every action of the room, in the order in which a show comes to it. */
const steps: readonly Step[] = [
  { press: ["button", /^Keys$/], keys: ["Escape"], focus: "Keys" },
  { press: ["button", /^Invite$/], keys: ["Escape"], focus: "Invite" },
  { press: ["button", /^Start$/], focus: "Not yet" },
  { press: ["button", /^Not yet$/], focus: "Start" },
  { press: ["button", /^Start$/], focus: "Not yet" },
  // The second line follows at once where no other session is active.
  {
    press: ["button", /^Start the show$/],
    focus: "main",
    hears: /started the session|sent players here/,
  },
  { press: ["button", /^Pause/], focus: "Resume", hears: /paused the session/ },
  { press: ["button", /^Resume/], focus: "Pause", hears: /resumed the session/ },
  { press: ["button", /^\+10 seconds$/], focus: "+10", hears: /delayed/ },
  { press: ["link", /^Question 4\?$/], focus: "Question 4?" },
  { press: ["button", /^Later$/], focus: "Later", hears: /changed the order/ },
  { press: ["link", /^Follow the show$/], focus: "main" },
  { press: ["button", /^Yes$/], focus: /^Resolve 1 as Yes\?/ },
  { press: ["button", /^Disarm/], focus: "Yes", hears: /Disarmed\. Nothing has happened\./ },
  { press: ["button", /^Close 1/], focus: "main", hears: /closed Question 1\?/ },
  { press: ["button", /^No$/], focus: /^Resolve 1 as No\?/ },
  {
    press: ["button", /^Pay out No/],
    focus: "Question 1?",
    hears: /Result: No, not paid yet\. U takes it back/,
  },
  { press: ["button", /^Take it back/], focus: "Question 1?", hears: /Taken back: it is undecided/ },
  { press: ["button", /^Advance: start 2/], focus: "Advance", hears: /advanced Question 1\?/ },
  { press: ["button", /^Skip 2/], focus: /^Skip 2\?/ },
  { press: ["button", /^Skip it/], focus: /^Question \d\?/, hears: /skipped Question 2\?/ },
  { press: ["link", /^Question 6\?$/], focus: "Question 6?" },
  { press: ["button", /^Delete$/], focus: "Cancel" },
  { press: ["button", /^Cancel$/], focus: "Delete" },
  { press: ["button", /^Delete$/], keys: ["Tab", "Enter"], focus: "main", hears: /deleted/ },
  { press: ["link", /^Question 1\?$/], focus: "Question 1?" },
  { press: ["button", /^Reset$/], keys: ["Tab", "Enter"], focus: "main", hears: /reset Question 1\?/ },
  { press: ["button", /^Stop$/], focus: "Keep it going" },
  { press: ["button", /^Stop it$/], focus: "main", hears: /stopped the session/ },
];

test("by keyboard alone each action of the room leaves the focus at the next sensible place, and is heard", async () => {
  const host = await signedIn("admin", { viewport: desk });
  const session = await planQuestions(apiOf(host), "By keyboard", settings);
  await letArmedStay(host);
  await openLive(host, `/sessions/${session.slug}/admin`);
  const reader = await openScreenReader(host);
  for (const step of steps) {
    await test.step(`${step.press[1].source} ${(step.keys ?? []).join(" ")}`, () => take(host, reader, step));
  }
});

test("a form of the room that was sent gives the focus to where the host goes on", async () => {
  const host = await signedIn("admin", { viewport: desk });
  const session = await planQuestions(apiOf(host), "By keyboard", settings);
  await openLive(host, `/sessions/${session.slug}/admin`);
  const reader = await openScreenReader(host);
  await host.locator("summary", { hasText: "New Action" }).press("Enter");
  const question = host.getByRole("textbox", { name: "Question" }).last();
  // Nothing is asked before the start: Enter in the field adds it, as the button does.
  await question.fill("One more?");
  await host.keyboard.press("Enter");
  await expect.poll(reader.hears).toMatch(/added One more\?/);
  await expect(question).toBeFocused();
  await expect(question).toHaveValue("");
  await question.fill("And another?");
  await host.getByRole("button", { name: "Add to the end", disabled: false }).press("Enter");
  await expect.poll(reader.hears).toMatch(/added And another\?/);
  await expect(question).toBeFocused();
  await expect(question).toHaveValue("");
  await host.locator(".event-editor > summary").press("Enter");
  await host.locator("#edit-title").fill("Question 1, changed?");
  await host.keyboard.press("Enter");
  await expect.poll(reader.hears).toMatch(/changed Question 1, changed\?/);
  await expect(host.locator(".event-editor > summary")).toBeFocused();
});

/** Presses a control as soon as it acts, and looks where the focus is and what is heard. */
async function take(
  host: Page,
  reader: ScreenReader,
  { press, keys = [], focus, hears }: Step,
): Promise<void> {
  await expect(() => reader.focus(...press)).toPass();
  const rests = await host.evaluate(
    () => document.activeElement?.matches("[data-key]:not(.armed *, dialog *)") === true,
  );
  if (rests) await untilTaken(host, () => host.keyboard.press("Enter"));
  else await host.keyboard.press("Enter");
  for (const key of keys) await host.keyboard.press(key);
  const words = typeof focus === "string" ? new RegExp(`^${RegExp.escape(focus)}`) : focus;
  await expect.poll(() => focused(host)).toMatch(words);
  if (hears !== undefined) await expect.poll(reader.hears).toMatch(hears);
  // And it stays there once everything has been fetched again.
  await expect.poll(() => focused(host)).toMatch(words);
}
