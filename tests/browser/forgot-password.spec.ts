import { newPage } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { type Page, expect, hydrated, test } from "./support/journey.ts";

const WRONG_PASSWORDS_MAX = 20;

test("a player is locked out after twenty wrong passwords, unlocks by mail, and sets a new password by mail", async () => {
  const page = await newPage();
  const name = `dora_${Date.now().toString(36)}`;
  const email = `${name}@example.test`;
  await register(page, { name, email, password: "my first password" });
  await openMailedLink(page, { email, subject: "Confirm your email address" });
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page.getByText("Your email address is confirmed.")).toBeVisible();
  await signOut(page);

  // Wrong passwords of the browser in which the player was signed in before.
  const api = apiOf(page);
  for (let count = 1; count < WRONG_PASSWORDS_MAX - 1; count += 1)
    await expect(
      api("POST", "/users/sign_in", { user: { email, password: `guess number ${count}` } }),
    ).rejects.toThrow("401");
  for (const count of [WRONG_PASSWORDS_MAX - 1, WRONG_PASSWORDS_MAX]) {
    await signIn(page, email, `guess number ${count}`);
    await expect(page.getByText(answerTo(count))).toBeVisible();
  }
  await signIn(page, email, "my first password");
  await expect(page.getByText("Your account is locked.")).toBeVisible();

  await openMailedLink(page, { email, subject: "Your account is locked" });
  await page.getByRole("button", { name: "Unlock my account" }).click();
  await expect(page.getByText("Your account is unlocked.")).toBeVisible();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // The page that is being left has a field of the same name.
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("a mail with a link is on its way")).toBeVisible();

  await openMailedLink(page, { email, subject: "Choose a new password" });
  await page.getByLabel("New password", { exact: true }).fill("my second password");
  await page.getByLabel("New password again").fill("my second password");
  await page.getByRole("button", { name: "Change my password" }).click();
  await expect(page.getByText("Changed. Everybody else who was signed in is signed out.")).toBeVisible();
  await signOut(page);
  await signIn(page, email, "my first password");
  await expect(page.getByText("Invalid credentials or password.")).toBeVisible();
  await signIn(page, email, "my second password");
  await expect(page).toHaveURL(/\/sessions/);
});

async function register(
  page: Page,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<void> {
  await page.goto("/users/guest_registration");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Username").fill(name);
  const field = page.getByLabel("Password", { exact: true });
  await field.fill(password);
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(field).toHaveAttribute("type", "text");
  await expect(field).toHaveValue(password);
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(field).toHaveAttribute("type", "password");
  await page.getByLabel("I accept the terms").check();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL(/\/sessions/);
}

/** On a live page, which stays when it is refused: fields of a page that is replaced would lose what is in them. */
async function signIn(page: Page, email: string, password: string): Promise<void> {
  await hydrated(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await answered;
}

async function signOut(page: Page): Promise<void> {
  await page.goto("/sessions");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/sign_in/);
}

/** The page's messages after this many wrong passwords. */
function answerTo(count: number): string {
  return count === WRONG_PASSWORDS_MAX
    ? "Your account is locked."
    : "You have one more attempt before your account is locked.";
}

async function openMailedLink(page: Page, { email, subject }: { email: string; subject: string }) {
  const mail = page.locator("article").filter({ hasText: email }).filter({ hasText: subject });
  await expect(async () => {
    await page.goto("/dev/mail");
    await expect(mail.first()).toBeVisible({ timeout: 500 });
  }).toPass({ intervals: [250] });
  const link = mail.first().locator("pre a");
  await page.goto((await link.getAttribute("href")) ?? "");
}
