import { expect } from "playwright/test";
import { desk, signedIn } from "../players.ts";
import { apiOf } from "../show-host.ts";
import { test } from "../support/journey.ts";
import { ask, planSession, register, startSession } from "../support/own-show.ts";
import { hydrated } from "../support/page.ts";

const phone = { width: 390, height: 844 };

test("a start is taken back and a stop is undone in the control room, and phones and the big screen follow at once", async ({
  browser,
}) => {
  const host = await signedIn(browser, "admin", { viewport: desk });
  await host.goto("/sessions");
  const { origin } = new URL(host.url());
  const asHost = apiOf(host.context(), origin);
  const session = await planSession(asHost, "Way back");
  const path = `/sessions/${session.slug}`;
  const { stageLink } = await asHost<{ stageLink: { key: string } }>("GET", `/api/v1${path}/stage_link`);
  await startSession(asHost, session);
  const asPlayer = await browser.newContext({ viewport: phone });
  await register(apiOf(asPlayer, origin), "Late");
  const [player, screen] = [await asPlayer.newPage(), await browser.newPage({ viewport: desk })];
  await player.goto(path);
  await screen.goto(`${path}/stage?key=${stageLink.key}`);
  await host.goto(`${path}/admin`);
  await hydrated(host);
  const first = await ask(asHost, session.id, "Does it come back?");
  await expect(player.getByRole("heading", { name: first.title })).toBeVisible();
  await expect(screen.getByText(first.title)).toBeVisible();

  await host.getByRole("button", { name: "Back to the lobby" }).click();
  await host.getByRole("alertdialog").getByRole("button", { name: "Back to the lobby" }).click();
  await expect(host.getByRole("button", { name: "Start", exact: true })).toBeVisible();
  await expect(player.getByRole("heading", { name: first.title })).toHaveCount(0);
  await expect(screen.getByText(first.title)).toHaveCount(0);

  await startSession(asHost, session);
  const second = await ask(asHost, session.id, "And once it is stopped?");
  await expect(player.getByRole("heading", { name: second.title })).toBeVisible();
  await host.getByRole("button", { name: "Stop", exact: true }).click();
  await host.getByRole("button", { name: "Stop it" }).click();
  const undo = host.getByRole("button", { name: /^Undo stop [01]:\d\d$/ });
  await expect(undo).toBeVisible();
  await expect(screen.getByText("Scan for your results")).toBeVisible();
  await undo.click();
  await host.getByRole("button", { name: "Undo the stop" }).click();
  await expect(host.getByRole("button", { name: "Stop", exact: true })).toBeEnabled();
  await expect(screen.getByText("Scan for your results")).toHaveCount(0);
  await expect(player.getByText("Waiting for the result.")).toBeVisible();
});

test("without JavaScript a start is taken back and a stop is undone by two presses each", async ({
  browser,
}) => {
  const host = await signedIn(browser, "admin", { viewport: desk });
  await host.goto("/sessions");
  const asHost = apiOf(host.context(), new URL(host.url()).origin);
  const session = await planSession(asHost, "Plain way back");
  await startSession(asHost, session);
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await host.context().storageState(),
    viewport: desk,
  });
  const page = await plain.newPage();
  await page.goto(`/sessions/${session.slug}/admin`);
  await page.getByRole("button", { name: "Back to the lobby" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Back to the lobby" }).click();
  await expect(page.getByText("Pending", { exact: true })).toBeVisible();
  await startSession(asHost, session);
  await asHost("PUT", `/api/v1/sessions/${session.slug}/stop`);
  await page.goto(`/sessions/${session.slug}/admin`);
  await page.getByRole("button", { name: /^Undo stop/ }).click();
  await page.getByRole("button", { name: "Undo the stop" }).click();
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
});

test("a host locks the room, and removes who came together with one act and lets them in again with the next", async ({
  browser,
}) => {
  const host = await signedIn(browser, "admin", { viewport: desk });
  await host.goto("/sessions");
  const { origin } = new URL(host.url());
  const asHost = apiOf(host.context(), origin);
  const session = await planSession(asHost, "Hostile");
  await startSession(asHost, session);
  const { joinCode } = await asHost<{ joinCode: { code: string; url: string } }>(
    "GET",
    `/api/v1/sessions/${session.slug}/join_code`,
  );
  const come = async () => {
    const guest = await browser.newContext({ viewport: phone });
    await apiOf(guest, origin)("POST", "/api/v1/joins", { join: { code: joinCode.code } });
    return guest.newPage();
  };
  const [one] = [await come(), await come()];
  await one.goto(`/sessions/${session.slug}`);
  await host.goto(`/sessions/${session.slug}/admin`);
  await hydrated(host);
  const door = host.getByRole("region", { name: "Door" });
  await door.getByRole("link", { name: "Who came together" }).click();
  await expect(door).toContainText("2 players from one network");
  await door.getByRole("button", { name: /^Remove 2 players/ }).click();
  await expect(host.getByRole("alertdialog")).toContainText("guest_");
  await host.getByRole("button", { name: "Remove 2 players", exact: true }).click();
  await expect(door).toContainText("2 players removed");
  await expect(one.getByText(session.name)).toHaveCount(0);
  await door.getByRole("button", { name: /^Undo/ }).click();
  await expect(door).not.toContainText("removed");
  await one.goto(`/sessions/${session.slug}`);
  await expect(one.getByText(session.name).first()).toBeVisible();

  await door.getByRole("button", { name: "Lock the room" }).click();
  await expect(door).toContainText("Locked");
  const late = await (await browser.newContext({ viewport: phone })).newPage();
  await late.goto(new URL(joinCode.url).pathname + new URL(joinCode.url).search);
  await expect(late.getByText("The host has locked the room.")).toBeVisible();
  await expect(late.getByRole("button", { name: "Play now" })).toHaveCount(0);
  await door.getByRole("button", { name: "Unlock the room" }).click();
  await expect(door).toContainText("Open to all");
  await late.reload();
  await expect(late.getByRole("button", { name: "Play now" })).toBeVisible();
});
