import { readFile } from "node:fs/promises";
import { newPlayer } from "./players.ts";
import { type Page, expect, hydrated, openLive, test } from "./support/journey.ts";

/**
 * An authenticator in the browser that recognizes its user, and makes and uses passkeys without asking.
 * @returns `touch` sets whether its user touches it from now on; `isAsked` waits until a page has asked for a passkey.
 */
async function addAuthenticator(
  page: Page,
): Promise<{ touch: (isTouched: boolean) => Promise<void>; isAsked: () => Promise<void> }> {
  await page.addInitScript(() => {
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    credentials.get = (options) => {
      const asked = get(options);
      document.documentElement.dataset["asked"] = "yes";
      return asked;
    };
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touch: async (enabled) => {
      await devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
    isAsked: async () => {
      await page.locator("html[data-asked]").waitFor();
      // The browser has passed it on to the authenticator when it answers what it was asked later.
      await devtools.send("WebAuthn.getCredentials", { authenticatorId });
    },
  };
}

/** Waits until the page has signed in by passkey and has gone on. */
async function signedIn(page: Page): Promise<void> {
  const answer = await page.waitForResponse((response) => response.url().endsWith("/users/sign_in/passkey"));
  expect(answer.status()).toBe(200);
  await expect(page).not.toHaveURL(/sign_in/);
  await hydrated(page);
}

async function signOut(page: Page): Promise<void> {
  await page.goto("/profile");
  await page.getByRole("button", { name: "Logout" }).click();
}

async function openAccount(page: Page): Promise<void> {
  await openLive(page, "/profile/account");
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();
}

test("a player adds a passkey, signs in by it, downloads their data and deletes the account", async () => {
  const { page, ...user } = await newPlayer("kim");
  const { touch, isAsked } = await addAuthenticator(page);

  await openAccount(page);
  await page.getByLabel("Name of the passkey").fill("My phone");
  await page.locator("#passkey-current-password").fill(user.password);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("The passkey is added.")).toBeVisible();
  await expect(page.getByLabel("Name of My phone")).toHaveValue("My phone");

  await touch(false);
  await signOut(page);
  // Nobody takes the offer of the email field: touches count for later requests only.
  await isAsked();
  await touch(true);
  const byButton = signedIn(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await byButton;

  // The email field offers the passkey too, and this authenticator takes the offer.
  const byOffer = signedIn(page);
  await signOut(page);
  await byOffer;

  await openAccount(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download my data" }).click();
  const file = await (await downloading).path();
  expect(await readFile(file, "utf8")).toContain(user.email);

  await page.getByRole("button", { name: "Delete my account" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Delete for good", exact: true })).toBeVisible();
  await question.getByRole("button", { name: "Delete for good with a passkey" }).click();
  await expect(page.getByText("Your account is deleted.")).toBeVisible();
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/users\/sign_in/);
});
