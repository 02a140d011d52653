import { chromiumFlags, requireShell } from "#tests/support/chromium.ts";
import { desk, newPage, PASSWORD, phone } from "../players.ts";
import { eventsIn } from "../show-host.ts";
import { PROOF, type Page, expect, openLive, productUrl, test } from "../support/journey.ts";
import { confirmArmed } from "../support/room-keys.ts";
import { type OpenShow, startShow } from "../support/two-device-show.ts";

// A show in one room: everybody opens it by the name of a computer, without https.
const NAME = "show-computer.test";
const QUESTION = "Will it rain?";

test.use({
  launchOptions: {
    executablePath: requireShell(),
    args: [...chromiumFlags, `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
  },
});

type Room = { url: string; failures: string[] };

const title = "a show over plain http by name: guest, account, calls, wallet, chat and the control room work";
test(title, { tag: PROOF }, async () => {
  const product = productUrl();
  const room: Room = { url: product.replace(new URL(product).hostname, NAME), failures: [] };
  const show = await startShow("In one room", QUESTION);

  await test.step("the front page leads to the sign-in page, which offers no passkey", () =>
    seeFrontPage(room));
  await test.step("a guest calls, and reads why the device shows no messages", () => playAsGuest(room, show));
  await test.step("a player with an account calls, opens the wallet, and chats", () =>
    playWithAccount(room, show));
  await test.step("the host invites, pauses, resumes, asks and decides", () => hostShow(room, show));
  expect(room.failures).toEqual([]);
});

async function seeFrontPage(room: Room): Promise<void> {
  const page = await enter(room, "/", phone);
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  expect(await page.evaluate(() => [isSecureContext, typeof crypto.randomUUID])).toEqual([
    false,
    "undefined",
  ]);
  await expect(page.getByRole("button", { name: "Use a passkey" })).toHaveCount(0);
}

async function playAsGuest(room: Room, show: OpenShow): Promise<void> {
  const page = await enter(room, `/sessions/${show.session.slug}`, phone);
  await page.getByRole("button", { name: "Play as guest" }).click();
  await expect(page.getByRole("img", { name: "Available $100.00" })).toBeVisible();
  await place(page);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await expect(page.getByText(/^This address has no https/)).toBeVisible();
}

async function playWithAccount(room: Room, show: OpenShow): Promise<void> {
  const page = await signIn(room, "ben@example.test");
  await openLive(page, `/sessions/${show.session.slug}`);
  await place(page);
  await page.getByRole("link", { name: /^Available/ }).click();
  await expect(page).toHaveURL(/\/profile\/wallet$/);
  await expect(page.getByRole("row").filter({ hasText: QUESTION }).first()).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Chat", exact: true }).click();
  await page.getByLabel("Message", { exact: true }).fill("Hello to the room");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log", { name: "Messages" })).toContainText("Hello to the room");
  await page.goto("/profile/account");
  await expect(page.getByText(/^This browser has no passkeys/)).toBeVisible();
}

async function hostShow(room: Room, show: OpenShow): Promise<void> {
  const page = await signIn(room, "admin@example.test");
  await openLive(page, `/sessions/${show.session.slug}/admin`);
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("button", { name: "Copy the link" }).click();
  await expect(page.getByText("The link is selected: copy it yourself.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await page.getByRole("textbox", { name: "Question" }).last().fill("Who asked?");
  await page.getByPlaceholder("True Label").fill("The host");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("link", { name: "Who asked?", exact: true }).click();
  await page.getByRole("button", { name: "The host", exact: true }).click();
  await confirmArmed(page, "Pay out The host");
  const asked = async () =>
    (await eventsIn(show.host, show.session)).find(({ title }) => title === "Who asked?");
  await expect.poll(async () => (await asked())?.result).toBe(true);
  await page.goto("/users");
  await expect(page.getByRole("heading", { name: "Users" })).toBeVisible();
}

/** Opens a page by the name, in a browser of its own. */
async function enter(room: Room, path: string, viewport: typeof phone): Promise<Page> {
  const page = await newPage({ viewport, baseURL: room.url });
  page.on("pageerror", (error) => room.failures.push(`${page.url()}: ${error.message}`));
  await openLive(page, path);
  return page;
}

async function signIn(room: Room, email: string): Promise<Page> {
  const page = await enter(room, "/users/sign_in", desk);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/sign_in/);
  return page;
}

/** Places a call by hand, and sees that the server has it. */
async function place(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: QUESTION })).toBeVisible();
  await page
    .getByRole("radio", { name: /You think/ })
    .first()
    .click();
  await expect(page.getByText(/^Placed \d+:\d\d:\d\d/)).toBeVisible();
}
