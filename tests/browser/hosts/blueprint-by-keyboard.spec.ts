import { desk, signedIn } from "../players.ts";
import { expectSound } from "../support/accessibility.ts";
import { expect, hydrated, test } from "../support/journey.ts";
import { focused, openScreenReader } from "../support/screen-reader.ts";
import { pasteLines, questionsIn, startBlueprint } from "../support/write-blueprint.ts";

test("by keyboard alone several actions are chosen, moved, edited, copied, removed and brought back, and each is heard", async () => {
  const page = await signedIn("admin", { viewport: desk });
  await startBlueprint(page, "By keyboard alone");
  await hydrated(page);
  await pasteLines(page, ["First?", "Second?", "Third?", "Fourth?"]);
  const reader = await openScreenReader(page);
  const press = async (name: RegExp, role = "button") => {
    await expect.poll(() => reader.finds(role, name)).toBe(true);
    await reader.press(role, name);
  };
  const expectHeard = (words: RegExp) => expect.poll(reader.hears).toMatch(words);
  const expectFocus = (words: RegExp) => expect.poll(() => focused(page)).toMatch(words);

  for (const [title, heard] of [
    ["Third", /1 chosen/],
    ["Fourth", /2 chosen/],
  ] as const) {
    await reader.focus("checkbox", new RegExp(`^Choose action \\d, ${title}`));
    await page.keyboard.press("Space");
    await expectHeard(heard);
    await expectFocus(new RegExp(`^Choose action \\d, ${title}`));
  }
  await expectSound(page);
  await press(/^Up$/);
  await expectHeard(/2 actions moved: now from 2 on\..*Order saved|Order saved.*now from 2 on\./);
  await expectFocus(/^Up$/);
  expect(await questionsIn(page)).toEqual(["First?", "Third?", "Fourth?", "Second?"]);

  await press(/^Edit$/);
  await expectFocus(/^2 actions together$/);
  await page.getByLabel("Open for, seconds").fill("45");
  await page.keyboard.press("Enter");
  await expectHeard(/Saved for all of them\./);
  await expectFocus(/^Open for, seconds/);
  await expect(page.locator("table.events tbody tr").filter({ hasText: "45" })).toHaveCount(2);

  await press(/^Duplicate$/);
  await expectHeard(/Duplicated/);
  await expectFocus(/^Duplicate$/);
  await press(/^Remove$/);
  await expectHeard(/Removed\./);
  await expectFocus(/^Undo: Third\? \+ 1$/);
  await press(/^Undo/);
  await expectHeard(/It is back\./);
  await expect(page.locator("main")).toBeFocused();
  expect(await questionsIn(page)).toEqual(["First?", "Third?", "Fourth?", "Third?", "Fourth?", "Second?"]);

  await reader.focus("checkbox", /^Choose action 1, /);
  await page.keyboard.press("Space");
  await press(/^Clear$/);
  await expectFocus(/^Choose all$/);
});
