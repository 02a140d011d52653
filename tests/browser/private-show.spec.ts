import { desk, signedIn, signedInAt } from "./players.ts";
import { type Page, expect, openLive, test } from "./support/journey.ts";

const NAME = "Ana's garden party";
const SHOW = "/sessions/garden-party";

/** Types a code at the address that the big screen shows. */
async function type(page: Page, code: string): Promise<void> {
  await page.goto("/join");
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Go" }).click();
}

test.describe.configure({ mode: "serial" });

test("a private show lets in who has its code, and a removed player only with a new one", async () => {
  const host = await signedInAt("admin", `${SHOW}/admin`, { viewport: desk });
  const code = (await host.locator(".join-code").first().textContent()) ?? "";
  const ben = await signedIn("ben");
  await ben.goto(SHOW);
  await expect(ben.getByText(NAME)).toHaveCount(0);
  await type(ben, code.replaceAll(" ", "-").toLowerCase());
  await ben.getByRole("button", { name: "Join as ben" }).click();
  await expect(ben).toHaveURL(SHOW);
  await expect(ben.getByText(NAME).first()).toBeVisible();

  await host.getByLabel("Find a player").fill("ben");
  await host.getByRole("button", { name: "Remove ben from this show" }).click();
  await host.getByLabel("Make a new code now").uncheck();
  await host.getByRole("button", { name: "Remove the player" }).click();
  await expect(host.getByText("removed: needs a new code")).toBeVisible();
  // The page that was open is told, and shows the show no more.
  await expect(ben.getByText(NAME)).toHaveCount(0);
  await type(ben, code);
  await ben.getByRole("button", { name: "Join as ben" }).click();
  await expect(ben.getByText("A new code lets you in again.")).toBeVisible();

  await host.getByRole("button", { name: "Invite" }).click();
  await host.getByRole("button", { name: "New code" }).click();
  await host.getByRole("button", { name: "Make a new code" }).click();
  await expect(host.locator(".join-code").first()).not.toHaveText(code);
  await type(ben, (await host.locator(".join-code").first().textContent()) ?? "");
  await ben.getByRole("button", { name: "Join as ben" }).click();
  await expect(ben).toHaveURL(SHOW);
});

test("a player whom an admin has made its host runs it, and is led away once the host's place is taken", async () => {
  const host = await signedIn("cleo", { viewport: desk });
  // While the demo's session is active, the list of sessions leads to it: the profile has the host's own.
  await host.goto("/sessions");
  await expect(host).not.toHaveURL("/sessions");
  await openLive(host, "/profile");
  await host.getByRole("link", { name: `Admin : ${NAME}` }).click();
  await host.getByRole("button", { name: "Start", exact: true }).click();
  await expect(host.getByText("which you do not host")).toBeVisible();
  await host.getByRole("button", { name: "Not yet" }).click();
  const admin = await signedInAt("admin", `${SHOW}/edit`, { viewport: desk });
  await admin.getByRole("button", { name: "Remove : cleo" }).click();
  await admin.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(admin.getByText("Only admins run it so far.")).toBeVisible();
  // The page asks who hosts it every few seconds, and so does the socket that was closed: whichever is first ends it.
  await expect(host.getByRole("button", { name: "Start", exact: true })).toHaveCount(0);
  await admin.getByLabel("Name or email").fill("cleo@example.test");
  await admin.getByRole("button", { name: "Add host" }).click();
  await expect(admin.getByText("Added by robin_hosts")).toBeVisible();
});
