import { desk, newPage, newPlayer, signedIn, withoutScript } from "../players.ts";
import { apiOf } from "../show-host.ts";
import { expect, openLive, test } from "../support/journey.ts";
import { ask, joinCodeOf, planSession, runSession, startSession } from "../support/own-show.ts";

test("a start is taken back and a stop is undone in the control room, and phones and the big screen follow at once", async () => {
  const host = await signedIn("admin", { viewport: desk });
  const asHost = apiOf(host);
  const session = await planSession(asHost, "Way back");
  const path = `/sessions/${session.slug}`;
  const { stageLink } = await asHost<{ stageLink: { key: string } }>("GET", `/api/v1${path}/stage_link`);
  await startSession(asHost, session);
  const [{ page: player }, screen] = [await newPlayer("Late"), await newPage({ viewport: desk })];
  await player.goto(path);
  await screen.goto(`${path}/stage?key=${stageLink.key}`);
  await openLive(host, `${path}/admin`);
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

test("without JavaScript a start is taken back and a stop is undone by two presses each", async () => {
  const host = await signedIn("admin", { viewport: desk });
  const asHost = apiOf(host);
  const session = await runSession(asHost, "Plain way back");
  const page = await withoutScript(host, { viewport: desk });
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

test("a host locks the room, and removes who came together with one act and lets them in again with the next", async () => {
  const host = await signedIn("admin", { viewport: desk });
  const asHost = apiOf(host);
  const session = await runSession(asHost, "Hostile");
  const joinCode = await joinCodeOf(asHost, session);
  const come = async () => {
    const guest = await newPage();
    await apiOf(guest)("POST", "/api/v1/joins", { join: { code: joinCode.code } });
    return guest;
  };
  const [one] = [await come(), await come()];
  await one.goto(`/sessions/${session.slug}`);
  await openLive(host, `/sessions/${session.slug}/admin`);
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
  const late = await newPage();
  await late.goto(new URL(joinCode.url).pathname + new URL(joinCode.url).search);
  await expect(late.getByText("The host has locked the room.")).toBeVisible();
  await expect(late.getByRole("button", { name: "Play now" })).toHaveCount(0);
  await door.getByRole("button", { name: "Unlock the room" }).click();
  await expect(door).toContainText("Open to all");
  await late.reload();
  await expect(late.getByRole("button", { name: "Play now" })).toBeVisible();
});
