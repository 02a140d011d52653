import { desk, newPage, phone, signedIn } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { expectSound } from "./support/accessibility.ts";
import { expect, openLive, test } from "./support/journey.ts";
import { ask, runSession } from "./support/own-show.ts";

const DAY_MS = 86_400_000;
const daysLater = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const TITLE = "Wer gewinnt das Endspiel?";

test("a host asks by date in the control room; a stranger finds it at the front door, and chooses one above the card", async () => {
  const room = await signedIn("admin", { viewport: desk, timezoneId: "UTC" });
  const host = apiOf(room);
  const session = await runSession(host, "League");
  const first = await ask(host, session.id, "هل يفوز الأهلي؟", { closes_at: daysLater(2) });

  await openLive(room, `/sessions/${session.slug}/admin`);
  const composer = room.locator("form").filter({ has: room.getByRole("button", { name: "Ask" }) });
  await composer.getByText("By date, up to 30 days").click();
  await composer.getByLabel("Closes at").fill(daysLater(3).slice(0, "2026-11-21T20:14".length));
  await composer.getByRole("textbox", { name: "Question" }).fill(TITLE);
  await composer.getByRole("button", { name: "Ask" }).click();
  await expect(composer.getByRole("textbox", { name: "Question" })).toHaveValue("");

  const page = await newPage({ viewport: phone });
  await openLive(page, "/");
  await expect(page.getByRole("heading", { name: "Open for days" })).toBeVisible();
  await page.getByRole("link", { name: TITLE }).click();
  const card = page.locator(".card-q");
  await expect(card).toHaveText(TITLE);
  const tabs = page.getByRole("navigation", { name: "Open questions" }).getByRole("link");
  await expect(tabs).toHaveText([/^هل يفوز الأهلي؟[12] d/, /^Wer gewinnt das Endspiel\?[23] d/]);
  await tabs.first().click();
  await expect(card).toHaveText(first.title);
  await expect(tabs.first()).toHaveAttribute("aria-current", "true");
  await expectSound(page);

  // The list of sessions, to which an admin comes also during a show, has the same.
  await openLive(room, "/sessions");
  await expect(room.getByRole("link", { name: TITLE })).toBeVisible();
});
