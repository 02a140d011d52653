import type { Locator, Page } from "playwright/test";

/** Drags an element down, as a finger does. */
export async function pullDown(page: Page, part: Locator): Promise<void> {
  // Waits until the sheet has come in.
  await part.hover();
  const box = await part.boundingBox();
  if (box === null) throw new Error("The sheet has no head.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 60);
  await page.mouse.move(x, y + 200);
  await page.mouse.up();
}
