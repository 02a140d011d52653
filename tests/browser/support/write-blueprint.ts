import { expect, type Locator, type Page } from "playwright/test";
import { hydrated } from "./journey.ts";

/** Creates a blueprint by its form, which leads to its editor. @returns the editor's path. */
export async function startBlueprint(page: Page, name: string): Promise<string> {
  await page.goto("/blueprints/new");
  await hydrated(page);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Go on to the actions" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** Pastes lines into the open editor and waits until they are in its list. */
export async function pasteLines(page: Page, lines: readonly string[]): Promise<void> {
  const field = page.getByLabel("Actions, one a line");
  if (!(await field.isVisible())) await page.getByRole("link", { name: "Paste in bulk" }).first().click();
  await field.fill(lines.join("\n"));
  await page.getByRole("button", { name: /^Add \d+ actions?$/ }).click();
  await expect(page.getByText("All lines were added at the end.")).toBeVisible();
}

/** Generates a session from the editor. @returns the session's slug. */
export async function generateSession(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Generate session" }).click();
  const form = page.locator("form#generate");
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByRole("button", { name: "Generate session" }).click();
  await page.waitForURL(/\/sessions\/[^/]+\/admin/);
  return new URL(page.url()).pathname.split("/")[2] ?? "";
}

/** The questions in the editor's list, from the first to the last. */
export function questionsIn(page: Page): Promise<string[]> {
  return page.locator("table.events tbody .question > a").allTextContents();
}

/** The grip of the row with this question. */
export function gripOf(page: Page, question: string): Locator {
  return page.locator("table.events tbody tr").filter({ hasText: question }).locator("[data-grip]");
}
