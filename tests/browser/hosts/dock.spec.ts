import { desk, newPage, signedIn } from "../players.ts";
import { apiOf } from "../show-host.ts";
import { expectSound } from "../support/accessibility.ts";
import { complaintsOf } from "../support/complaints.ts";
import { type Page, expect, openLive, test } from "../support/journey.ts";
import { add, ask, planSession, runSession } from "../support/own-show.ts";
import { confirmArmed, letArmedStay } from "../support/room-keys.ts";

const narrow = { width: 320, height: 600 };

/** Nothing is wider than the dock. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Makes a dock in the control room, and opens its link where nobody is signed in. */
async function openDock(admin: Page, slug: string): Promise<Page> {
  await openLive(admin, `/sessions/${slug}/admin`);
  await admin.getByRole("button", { name: "Invite" }).click();
  await admin.getByRole("button", { name: "New dock" }).click();
  const link = await admin.getByRole("textbox", { name: "Link of the dock" }).inputValue();
  const dock = await newPage({ viewport: narrow });
  await letArmedStay(dock);
  await dock.goto(link);
  return dock;
}

test("a show is run in a dock by its link alone, through a lost connection, until the link is revoked", async () => {
  const admin = await signedIn("admin", { viewport: desk });
  const host = apiOf(admin);
  const session = await runSession(host, "Docked", { settlement_delay_seconds: 60 });
  const first = await ask(host, session.id, "Does the dock close it?");
  const second = await add(host, session.id, "And the next one?", { start_mode: "by_hand" });
  const dock = await openDock(admin, session.slug);
  const complaints = complaintsOf(dock);
  const onStage = dock.getByRole("heading", { level: 2 }).first();
  await expect(onStage).toHaveText(first.title);
  expect(await overflow(dock)).toBe(0);
  await expectSound(dock);

  await dock.getByRole("button", { name: "Pause" }).click();
  await expect(admin.getByText("Paused", { exact: true }).first()).toBeVisible();
  await dock.getByRole("button", { name: "Resume" }).click();
  await dock.getByRole("button", { name: /^Close \d/ }).click();
  await dock.locator(".verdict.true").click();
  await confirmArmed(dock, "Pay out");
  await dock.getByRole("button", { name: "Take it back" }).click();
  await expect(dock.getByRole("button", { name: "Take it back" })).toHaveCount(0);
  await dock.locator(".verdict.void").click();
  await confirmArmed(dock, "Void and refund");
  await expect(dock.getByText(/^Result: Void, pays/)).toBeVisible();
  expect(await overflow(dock)).toBe(0);

  await dock.context().setOffline(true);
  await expect(dock.getByText("No connection. It comes back by itself.")).toBeVisible();
  await host("PUT", `/api/v1/events/${second.id}/advance`);
  await dock.context().setOffline(false);
  await expect(dock.getByText("No connection. It comes back by itself.")).toHaveCount(0);
  await expect(onStage).toHaveText(second.title);
  await dock.getByRole("button", { name: /^Skip \d/ }).click();
  await confirmArmed(dock, "Skip it");
  await expect(onStage).not.toHaveText(second.title);
  await expect(admin.getByText(/Dock of .* skipped/).first()).toBeAttached();

  await openLive(admin, `/sessions/${session.slug}/admin`);
  await admin.getByRole("button", { name: "Invite" }).click();
  await admin.getByRole("button", { name: "Revoke", exact: true }).click();
  await admin.getByRole("button", { name: "Revoke it" }).click();
  await expect(dock.getByRole("heading", { name: "This dock runs no show." })).toBeVisible();
  await expect(dock.getByText(/^It was revoked/)).toBeVisible();
  expect(
    complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|40[19]|HTTP Authentication failed/.test(text)),
  ).toEqual([]);
});

test("a show is started in a dock, taken back to the lobby, started again and stopped, each after a question", async () => {
  const admin = await signedIn("admin", { viewport: desk });
  const session = await planSession(apiOf(admin), "From the dock");
  const dock = await openDock(admin, session.slug);
  const question = dock.getByRole("alertdialog");
  await expect(dock.getByRole("button", { name: "Stop" })).toHaveCount(0);
  await dock.getByRole("button", { name: "Start" }).click();
  await expect(question).toContainText("The first action opens after");
  expect(await overflow(dock)).toBe(0);
  await expectSound(dock);
  await question.getByRole("button", { name: "Start the show" }).click();
  await expect(dock.getByText("Running", { exact: true })).toBeVisible();
  expect(await overflow(dock)).toBe(0);

  await dock.getByRole("button", { name: "Back to the lobby" }).click();
  await expect(question).toContainText("Nobody has called yet.");
  expect(await overflow(dock)).toBe(0);
  await question.getByRole("button", { name: "Back to the lobby" }).click();
  await expect(dock.getByText("Running", { exact: true })).toHaveCount(0);
  await dock.getByRole("button", { name: "Start" }).click();
  await question.getByRole("button", { name: "Start the show" }).click();

  await dock.getByRole("button", { name: "Stop" }).click();
  await expect(question).toContainText("You can undo it for a minute.");
  expect(await overflow(dock)).toBe(0);
  await question.getByRole("button", { name: "Stop it" }).click();
  await expect(dock.getByText(/^The show is over\./)).toBeVisible();
});
