import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import { desk, newPage, newPlayer, signedIn } from "../players.ts";
import { type Api, apiOf } from "../show-host.ts";
import { expect, openLive, test } from "../support/journey.ts";
import { runSession } from "../support/own-show.ts";

test("a host lets a message on the big screen, and takes away the name of who wrote it with one click, and gives it back", async () => {
  const host = await signedIn("admin", { viewport: desk });
  const asHost = apiOf(host);
  const session = await runSession(asHost, "Approved", { chat_approval: true });
  const { page: menu, api: asPlayer, username } = await newPlayer("Loud", { viewport: desk });
  const { face, avatarNow } = await chooseFace(asPlayer);
  const screen = await newPage({ viewport: desk });
  await screen.goto(`/sessions/${session.slug}/stage`);
  await openLive(host, `/sessions/${session.slug}/admin`);
  const panel = host.getByRole("region", { name: "Chat for the big screen" });
  await expect(panel).toContainText("none waits");
  await asPlayer("POST", "/api/v1/messages", { message: { session_id: session.slug, body: "Look at me" } });
  await expect(panel).toContainText("1 waiting");
  await expect(screen.getByText("Look at me")).toHaveCount(0);
  await panel.getByRole("button", { name: `Show the message of ${username} on the big screen` }).click();
  await expect(screen.getByText("Look at me")).toBeVisible();
  await expect(panel).toContainText("none waits");

  await host.getByRole("searchbox").fill(username);
  await host.getByRole("button", { name: `Take name away from ${username}` }).click();
  await expect(screen.getByText(username)).toHaveCount(0);
  await expect(screen.getByText(/^guest_\d+$/)).toBeVisible();
  expect(await avatarNow()).toBeNull();
  await host.getByRole("button", { name: `Undo: give the name ${username} back` }).click();
  await expect(screen.getByText(username).first()).toBeVisible();
  expect(await avatarNow()).toBe(face);

  // In the chat likewise; the player's own menu follows without a reload.
  await menu.goto("/profile/wallet");
  await menu.getByRole("button", { name: "Menu" }).click();
  const ownName = menu.locator(".who .names b");
  await expect(ownName).toHaveText(username);
  await openLive(host, `/sessions/${session.slug}/chat`);
  await host.getByRole("button", { name: `Take name away from ${username}` }).click();
  await expect(ownName).toHaveText(/^guest_\d+$/);
  await expect(host.getByText(`The name ${username} is taken away`)).toBeVisible();
  await host.getByRole("button", { name: "Undo" }).click();
  await expect(ownName).toHaveText(username);
  expect(await avatarNow()).toBe(face);
  await expect(host.getByRole("button", { name: `Take name away from ${username}` })).toBeVisible();
});

/** Gives a player a face. @returns its address, and what the avatar of the player is now. */
async function chooseFace(asPlayer: Api) {
  const me = async () => (await asPlayer<ProfileAnswer>("GET", "/api/v1/users/me")).user;
  await asPlayer("PATCH", `/api/v1/users/${(await me()).id}`, { user: { face: 7 } });
  return { face: (await me()).avatar.default, avatarNow: async () => (await me()).avatar.default };
}
