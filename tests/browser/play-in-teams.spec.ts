import { desk, newPage, signedIn, signedInAt } from "./players.ts";
import { type Page, expect, test, use } from "./support/journey.ts";

const TEAMS = ["Foxes", "Owls", "Bears"];

/** How many players the big screen shows in each team, in their order. */
async function filling(screen: Page): Promise<string> {
  return (await screen.getByRole("list", { name: "Teams" }).getByRole("listitem").allTextContents()).join(
    " ",
  );
}

test("a host names teams, players choose theirs by one tap, and the host moves one, with and without JavaScript", async () => {
  const host = await signedIn("admin", { viewport: desk, javaScriptEnabled: false });
  await host.goto("/sessions/new");
  await host.getByLabel("Name", { exact: true }).fill(`Team night ${Date.now() % 1e6}`);
  await host.getByLabel("Teams").fill("Foxes");
  await host.getByRole("button", { name: "Create the session" }).click();
  await expect(host.getByText("Teams must be 2 to 12 names, or none")).toBeVisible();
  await host.getByLabel("Teams").fill(TEAMS.join("\n"));
  await host.getByRole("button", { name: "Create the session" }).click();
  await expect(host).toHaveURL(/\/admin$/);
  const show = new URL(host.url()).pathname.replace(/\/admin$/, "");
  const code = (await host.locator(".join-code").first().textContent()) ?? "";

  // Without JavaScript, by the link of the QR code: the smallest team is chosen already.
  const guest = await newPage({ javaScriptEnabled: false });
  const name = `gast_${Date.now() % 1e9}`;
  await guest.goto(`/join?code=${code.replaceAll(" ", "")}`);
  await expect(guest.getByRole("radio", { name: /Foxes/ })).toBeChecked();
  await guest.getByRole("radio", { name: /Owls/ }).check();
  await guest.getByLabel("Your name").fill(name);
  await guest.getByRole("button", { name: "Play now" }).click();
  await expect(guest).toHaveURL(show);
  // The history, where players change their team without JavaScript, is for accounts.
  await guest.goto(`${show}/history`);
  await expect(guest).toHaveURL("/guest");

  // With JavaScript, in the sheet over the game.
  const ben = await signedInAt("ben", show);
  await use(ben);
  // What the bar opens has arrived.
  await expect(ben.getByRole("button", { name: /^Chat/ })).toBeVisible();
  await ben.locator(".my-rank").click();
  const sheet = ben.getByRole("dialog", { name: "Leaders" });
  await sheet.getByRole("button", { name: "Join Foxes" }).click();
  await expect(sheet.getByText("Foxes (yours)")).toBeVisible();
  await sheet.getByRole("button", { name: "Join Owls" }).click();
  await expect(sheet.getByText("Owls (yours)")).toBeVisible();

  await joinOnce({ show, code: code.replaceAll(" ", "") });

  const screen = await signedIn("admin", { viewport: desk });
  await screen.goto(`${show}/stage`);
  await expect.poll(() => filling(screen)).toBe("Foxes0 Owls3 Bears0");
  const room = await signedInAt("admin", `${show}/admin`, { viewport: desk });
  await room.getByLabel("Find a player").fill(name);
  await room.getByLabel(`Team of ${name}`).selectOption("Foxes");
  await expect.poll(() => filling(screen)).toBe("Foxes1 Owls2 Bears0");
});

/** Who has an account and comes by the code is asked for a team too, once. */
async function joinOnce({ show, code }: { show: string; code: string }): Promise<void> {
  const cleo = await signedIn("cleo");
  await cleo.goto(`/join?code=${code}`);
  await expect(cleo.getByRole("radio", { name: /Foxes/ })).toBeChecked();
  await cleo.getByRole("radio", { name: /Owls/ }).check();
  await cleo.getByRole("button", { name: "Join as cleo" }).click();
  await expect(cleo).toHaveURL(show);
  await cleo.goto(`/join?code=${code}`);
  await expect(cleo).toHaveURL(show);
}
