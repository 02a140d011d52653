import { startModeLabel } from "#src/show/events/contract.ts";
import { desk, phone, signedIn } from "./players.ts";
import { type Page, expect, openLive, test } from "./support/journey.ts";
import {
  generateSession,
  gripOf,
  pasteLines,
  questionsIn,
  startBlueprint,
} from "./support/write-blueprint.ts";

const NUMBERS = Array.from({ length: 50 }, (_, index) => String(index + 1).padStart(2, "0"));
const fifty = NUMBERS.map((number) => `Will number ${number} come? | Yes ${number} | No ${number} | 20`);
const question = (number: string) => `Will number ${number} come?`;
const order = async (page: Page) => (await questionsIn(page)).map((text) => text.slice(12, 14));
const saved = (page: Page) => expect(page.getByText("Order saved")).toBeVisible();

test("fifty actions are pasted, dragged, moved by keyboard, edited and made into a session", async () => {
  const page = await signedIn("admin", { viewport: desk });
  const path = await startBlueprint(page, "Fifty at once");

  await page.getByLabel("Actions, one a line").fill(["Fine?", "", "Too short? | Yes | No | 4"].join("\n"));
  await expect(page.getByText("Line 3: Duration must be greater than or equal to 5")).toBeVisible();
  await page.getByRole("button", { name: "Add 2 actions" }).click();
  await expect(page.getByText("1 line needs a change before anything is added.")).toBeVisible();
  expect(await questionsIn(page)).toEqual([]);
  await pasteLines(page, fifty);
  expect(await order(page)).toEqual(NUMBERS);
  await expect(page.getByText("50 actions, at least 28:55 in all")).toBeVisible();

  await dragBy(page, { question: question("01"), rows: 3 });
  await saved(page);
  expect((await order(page)).slice(0, 5)).toEqual(["02", "03", "04", "01", "05"]);
  await expect(page.getByText(`${question("01")}: now 4 of 50.`)).toBeAttached();

  await gripOf(page, question("05")).focus();
  for (const key of ["Alt+ArrowUp", "Alt+ArrowUp", "Alt+ArrowDown"]) await page.keyboard.press(key);
  await expect(page.getByText(`${question("05")}: now 4 of 50.`)).toBeAttached();
  await expect(gripOf(page, question("05"))).toBeFocused();
  await page.getByRole("button", { name: `Move down: ${question("02")}` }).click();
  await expect(page.getByRole("button", { name: `Move down: ${question("02")}` })).toBeFocused();
  await saved(page);
  await openLive(page, path);
  expect((await order(page)).slice(0, 6)).toEqual(["03", "02", "04", "05", "01", "06"]);

  const slug = await generateSession(page, "Fifty at once, the show");
  expect(slug).toMatch(/^fifty-at-once-the-show/);
  const { session } = await (await page.request.get(`/api/v1/sessions/${slug}`)).json();
  expect(session).toMatchObject({ state: "pending", active: false, eventsCount: 50 });
});

test("unsaved changes are kept, marked and protected from leaving until they are saved", async () => {
  const page = await signedIn("admin", { viewport: desk });
  const path = await startBlueprint(page, "Half written");
  await pasteLines(page, ["First?", "Second?", "Third?"]);

  await page.getByRole("link", { name: "First?" }).click();
  await expect(page.getByRole("heading", { name: "Action 1" })).toBeFocused();
  await page.getByLabel("Open for, seconds").fill("90");
  await expect(page.getByText("3 actions, at least 3:00 in all")).toBeVisible();
  await page.getByRole("link", { name: "Second?" }).click();
  await expect(page.getByRole("heading", { name: "Action 2" })).toBeFocused();
  await page.getByRole("textbox", { name: "Question" }).fill("");
  await expect(page.getByRole("link", { name: "Question can't be blank" })).toBeVisible();
  await expect(page.locator("table.events .unsaved")).toHaveCount(2);

  await page.getByRole("link", { name: "Sessions", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
  await expect(page).toHaveURL(new RegExp(path));
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("link", { name: "First?" }).click();
  await expect(page.getByLabel("Open for, seconds")).toHaveValue("90");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.locator("table.events .unsaved")).toHaveCount(0);

  await page.getByLabel("Open for, seconds").fill("80");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "what you typed is still here" })).toBeFocused();
  await gripOf(page, "Third?").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page.getByText("Not saved: the server cannot be reached.")).toBeVisible();
  await page.context().setOffline(false);
  await saved(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await openLive(page, path);
  expect(await questionsIn(page)).toEqual(["First?", "Third?", "Second?"]);

  // An action that the host opens by hand keeps its wait.
  await page.getByRole("link", { name: "Second?" }).click();
  await page.getByLabel("Wait, seconds").fill("12");
  await page.getByText(startModeLabel("by_hand"), { exact: true }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  const id = await page.locator("table.events tbody tr").last().getAttribute("data-id");
  const answer: unknown = await (await page.request.get(`/api/v1/blueprint_events/${id}`)).json();
  expect(answer).toMatchObject({ blueprintEvent: { startMode: "by_hand", offsetSeconds: 12 } });

  await removeElsewhere(page, "Third?");
  await gripOf(page, "First?").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page.getByText("Somebody else changed this list.")).toBeVisible();
  await expect.poll(() => questionsIn(page)).toEqual(["First?", "Second?"]);
  await page.getByRole("link", { name: "Sessions", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Sessions", level: 1 })).toBeVisible();
});

test("on a phone a row is dragged by touch, opened by a tap instead of the list, removed and brought back", async () => {
  const page = await signedIn("admin", { viewport: phone, hasTouch: true });
  await startBlueprint(page, "By thumb");
  await pasteLines(page, ["First?", "Second?", "Third?", "Fourth?"]);
  await touchDrag(page, { question: "First?", over: "Third?" });
  await saved(page);
  expect(await questionsIn(page)).toEqual(["Second?", "Third?", "First?", "Fourth?"]);

  // A tap right after another touch may count as a double tap.
  await expect(async () => {
    await page.getByRole("link", { name: "Third?" }).tap();
    await expect(page.getByRole("heading", { name: "Action 2" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole("table")).toBeHidden();
  await page.getByRole("button", { name: "Remove", exact: true }).tap();
  await expect(page.getByText("Removed.")).toBeVisible();
  expect(await questionsIn(page)).toEqual(["Second?", "First?", "Fourth?"]);
  await page
    .getByRole("button", { name: /^Undo ?: Third\?$/ })
    .first()
    .tap();
  await expect(page.getByText("It is back.")).toBeVisible();
  expect(await questionsIn(page)).toEqual(["Second?", "Third?", "First?", "Fourth?"]);
});

/** Removes an event as another admin would: the open page does not know of it. */
async function removeElsewhere(page: Page, text: string): Promise<void> {
  const row = page.locator("table.events tbody tr").filter({ hasText: text });
  const path = `/api/v1/blueprint_events/${await row.getAttribute("data-id")}`;
  const status = await page.evaluate(async (asked) => {
    const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? "";
    return (await fetch(asked, { method: "DELETE", headers: { "x-csrf-token": token } })).status;
  }, path);
  expect(status).toBe(204);
}

/** Drags a row by its grip down by some rows. */
async function dragBy(
  page: Page,
  { question: text, rows }: { question: string; rows: number },
): Promise<void> {
  const grip = gripOf(page, text);
  await grip.scrollIntoViewIfNeeded();
  const from = await middleOf(page, text);
  // The rows are not all as high.
  const index = (await questionsIn(page)).indexOf(text);
  const over = page.locator("table.events tbody tr").nth(index + rows);
  const { y, height } = (await over.boundingBox()) ?? { y: from.y, height: 0 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, y + height * 0.6, { steps: 8 });
  await page.mouse.up();
}

/** Drags a row by touch to the position of another row. */
async function touchDrag(
  page: Page,
  { question: text, over }: { question: string; over: string },
): Promise<void> {
  const touch = await page.context().newCDPSession(page);
  const [from, to] = [await middleOf(page, text), await middleOf(page, over)];
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await send("touchStart", [from]);
  for (const part of [0.25, 0.5, 0.75, 1.05]) {
    await send("touchMove", [{ x: from.x, y: from.y + (to.y - from.y) * part }]);
  }
  await send("touchEnd", []);
}

async function middleOf(page: Page, text: string): Promise<{ x: number; y: number }> {
  const box = await gripOf(page, text).boundingBox();
  if (box === null) throw new Error(`${text} has no grip.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
