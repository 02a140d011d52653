import { assistantPrompt } from "#client/blueprints/assistant-prompt.ts";
import { row, xlsx } from "#tests/show/blueprints/plan-files/workbooks.ts";
import { desk, signedIn, signedInAt } from "../players.ts";
import { type Page, expect, openLive, test } from "../support/journey.ts";
import { questionsIn } from "../support/write-blueprint.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.getByLabel("Choose a file, or drop it here").setInputFiles({ name, mimeType, buffer });

test("a workbook is brought in by the sheet that was chosen, then a file in the letters of a country", async () => {
  const page = await signedInAt("admin", "/blueprints/new", { viewport: desk });
  const sheets = {
    Notes: row("Remember the microphones?"),
    Questions:
      row("Frage", "Antwort 1", "Antwort 2", "Antwort 3", "Zeit (Sek.)", "Farbe") +
      row("Will it rain?", "Yes", "No", "", "45", "red") +
      row("Who wins?", "Ana", "Ben", "Cleo", "30", ""),
  };
  await choose(page, "quiz.xlsx", XLSX, Buffer.from(xlsx(sheets)));
  await expect(page.getByLabel("Text")).toHaveValue("Remember the microphones?");
  await expect(page.getByText('The sheet "Questions" was not read')).toBeVisible();
  await page.getByLabel("Sheet").selectOption("Questions");
  await expect(page.getByText('The sheet "Notes" was not read')).toBeVisible();
  const understood = page.getByRole("region", { name: "What was understood" });
  await expect(understood).toContainText("Yes or No, 45 s");
  await expect(understood).toContainText("Line 3: It has 3 answers, and an action has two");
  await expect(understood).toContainText("Left out, a column that is not used: Farbe");
  await page.getByRole("button", { name: "Leave out line 3" }).click();
  await page.getByLabel("Call it").fill("From a workbook");
  await page.getByRole("button", { name: "Bring it in" }).click();
  await expect(page.getByRole("heading", { name: "From a workbook", level: 1 })).toBeVisible();
  expect(await questionsIn(page)).toEqual(["Will it rain?"]);

  await page.getByRole("link", { name: "Paste in bulk" }).first().click();
  await choose(page, "broken.xlsx", XLSX, Buffer.from("PK\u0003\u0004 no workbook", "latin1"));
  await expect(page.getByRole("alert")).toContainText("This is a document, not a workbook");
  // "Спартак?;Да;Нет" in Windows-1251.
  await choose(page, "quiz.csv", "text/csv", Buffer.from("d1efe0f0f2e0ea3f3bc4e03bcde5f2", "hex"));
  const field = page.getByLabel("Actions, one a line");
  await expect(field).toHaveValue(/;/);
  await page.getByLabel("Letters of the file").selectOption("windows-1251");
  await expect(field).toHaveValue("Спартак?;Да;Нет");
  await page.getByRole("button", { name: "Add 1 action" }).click();
  await expect.poll(() => questionsIn(page)).toEqual(["Will it rain?", "Спартак?"]);
});

test("the prompt for an assistant is copied, and stands there to be selected without JavaScript", async () => {
  const page = await signedIn("admin", {
    viewport: desk,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await openLive(page, "/blueprints/new");
  await page.getByRole("button", { name: "Copy a prompt for an assistant" }).click();
  await expect(page.getByText("Copied. Paste it into the assistant, and its answer here.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(assistantPrompt);

  const plain = await signedIn("admin", { viewport: desk, javaScriptEnabled: false });
  await plain.goto("/blueprints/new");
  await plain.getByText("The prompt for an assistant").click();
  await expect(plain.getByText("question | true label | false label | seconds")).toBeVisible();
  await expect(plain.getByRole("button", { name: "Copy a prompt for an assistant" })).toBeHidden();
});
