import { sql, type SQL } from "drizzle-orm";
import { connect, inTransaction } from "#db/client.ts";
import { apiAs, desk, newPage, newPlayer, profileOf, signedIn } from "../players.ts";
import { type Page, expect, test } from "../support/journey.ts";
import { ask, runSession } from "../support/own-show.ts";
import { findProduct } from "../support/product.ts";

/** As if so many hours had passed for a player: nobody else's time moves. */
async function passHours(username: string, hours: number): Promise<void> {
  const pool = connect(findProduct()?.ownerDatabaseUrl ?? "", { poolSize: 1 });
  const change = (set: SQL) => sql`${set} FROM users u WHERE u.username = ${username} AND u.id = user_id`;
  const ago = sql`make_interval(hours => ${hours})`;
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(change(sql`UPDATE deposit_limits SET next_at = next_at - ${ago}`));
    await tx.execute(change(sql`UPDATE breaks SET began_at = began_at - ${ago}, ends_at = ends_at - ${ago}`));
  });
  await pool.close();
}

async function fillAmount(page: Page, dollars: string): Promise<void> {
  await page.goto("/profile/wallet");
  await page.getByLabel("Amount in dollars").fill(dollars);
}
const toCheckout = (page: Page) => page.getByRole("button", { name: "Go to the checkout" }).click();

async function takeBreak(page: Page): Promise<void> {
  await page.goto("/profile/wallet/spending");
  await page.getByRole("button", { name: "Take a break" }).click();
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.getByText("Your break has begun.")).toBeVisible();
}

/** A break closes deposits, and ends the checkout that is open. */
async function expectClosedByBreak(page: Page): Promise<void> {
  await fillAmount(page, "3");
  await toCheckout(page);
  await expect(page.getByRole("button", { name: "Pay $3.00" })).toBeVisible();
  await page.goto("/profile/wallet/payments");
  await expect(page.getByRole("link", { name: /^Pay now/ })).toBeVisible();
  await takeBreak(page);
  await page.goto("/profile/wallet/payments");
  await expect(page.getByText(/You are on a break until/)).toBeVisible();
  await expect(page.getByRole("link", { name: /^Pay now/ })).toHaveCount(0);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Did not work")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.goto("/profile/wallet");
  await expect(page.getByText(/You are on a break until/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Go to the checkout" })).toHaveCount(0);
}

async function pay(page: Page, dollars: string): Promise<void> {
  await toCheckout(page);
  await page.getByRole("button", { name: `Pay $${dollars}.00` }).click();
  await expect(page.getByText(`$${dollars}.00 is in your wallet.`)).toBeVisible();
}

test("a player sets a limit with the first deposit, reaches it, raises it, takes a break until it ends, and gets back what was not used", async () => {
  const { page, username } = await newPlayer("payer");
  // The first deposit asks for a limit and the age, and suggests neither.
  await fillAmount(page, "15");
  await page.getByLabel("I am 18 or older").check();
  await toCheckout(page);
  await expect(page.getByText("must be chosen")).toBeVisible();
  await page.getByLabel("Your own limit for deposits").selectOption("$20 within 7 days");
  await pay(page, "15");
  await expect(page.getByText("Paid in this month: $15.00")).toBeVisible();
  await expect(page.getByLabel("I am 18 or older")).toHaveCount(0);

  // The limit is reached.
  await fillAmount(page, "6");
  await toCheckout(page);
  await expect(
    page.getByText(/^Your limit of \$20\.00 within 7 days leaves \$5\.00\. More is possible from .* UTC\.$/),
  ).toBeVisible();

  // A higher one takes a day and a second yes.
  await page.getByRole("link", { name: "Limits and breaks" }).click();
  await page.getByLabel("In dollars, within 7 days").fill("30");
  await page.getByRole("button", { name: /^Set the limit ?: within 7 days$/ }).click();
  await expect(page.getByText("You have asked for a higher limit.", { exact: false })).toBeVisible();
  const yes = page.getByRole("button", { name: "Yes, a limit of $30.00" });
  const answered = page.waitForResponse(/spending\/limits/);
  await yes.click();
  await answered;
  await expect(yes).toBeEnabled();
  await passHours(username, 24);
  await yes.click();
  await expect(page.getByText("Your limit is $30.00.")).toBeVisible();
  await fillAmount(page, "6");
  await pay(page, "6");

  await expectClosedByBreak(page);
  await passHours(username, 24);
  await page.reload();
  await expect(page.getByRole("button", { name: "Go to the checkout" })).toBeVisible();

  // What was not used goes back.
  await page.goto("/profile/wallet/spending");
  await page.getByRole("button", { name: /^Send back ?: \$15\.00$/ }).click();
  await expect(page.getByText("It is on its way to you.")).toBeVisible();
  await page.getByRole("link", { name: "Back to the wallet" }).click();
  await page.getByRole("link", { name: "Statements" }).click();
  await expect(page.getByRole("row", { name: "Paid in $21.00" })).toBeVisible();
  await expect(page.getByRole("row", { name: "Refunded or disputed -$15.00" })).toBeVisible();
});

test("without JavaScript a player sets a limit, pays in, and begins a break", async () => {
  const { page } = await newPlayer("payer", { javaScriptEnabled: false });
  await fillAmount(page, "5");
  await page.getByLabel("I am 18 or older").check();
  await page.getByLabel("Your own limit for deposits").selectOption("No limit of my own");
  await pay(page, "5");
  await page.goto("/profile/wallet/spending");
  await page.getByLabel("In dollars, within 24 hours").fill("10");
  await page.getByRole("button", { name: /^Set the limit ?: within 24 hours$/ }).click();
  await expect(page.getByText("Your limit is set.")).toBeVisible();
  await page.getByRole("button", { name: "Take a break" }).click();
  await page.getByLabel("How long").selectOption("7 days");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.getByText(/You are on a break until/)).toBeVisible();
});

test("a guest takes a break: the sides take no call and say why, and support makes it longer and never shorter", async () => {
  const host = await apiAs("admin");
  const session = await runSession(host, "Break");
  await ask(host, session.id, "Will it rain?");
  const page = await newPage();
  await page.goto(`/sessions/${session.slug}`);
  await page.getByRole("button", { name: "Play as guest" }).click();
  await page.getByRole("radio", { name: /You think/ }).click();
  await expect(page.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
  await page.goto("/guest");
  await page.getByRole("link", { name: "Take a break" }).click();
  await takeBreak(page);
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(page).toHaveURL("/guest");
  await page.goto(`/sessions/${session.slug}`);
  const sides = page.getByRole("radiogroup", { name: "You think" }).getByRole("radio");
  for (const side of await sides.all()) await expect(side).toBeDisabled();
  await expect(sides.filter({ hasText: "Your call stands" })).toHaveCount(1);
  await expect(sides.filter({ hasText: "On a break" })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Less" })).toHaveCount(0);
  const { id, username } = await profileOf(page);
  await page.getByRole("link", { name: "Your break" }).click();
  await expect(page).toHaveURL("/profile/wallet/spending");

  const support = await signedIn("admin", { javaScriptEnabled: false, viewport: desk });
  const lengthen = async (period: string) => {
    await support.goto(`/users/${id}`);
    await support.getByRole("button", { name: "Make the break longer" }).click();
    const dialog = support.getByRole("alertdialog", { name: `Make the break of ${username} longer?` });
    await dialog.getByLabel("How long").selectOption(period);
    await dialog.getByLabel("Reason").fill("Asked by mail");
    await dialog.getByRole("button", { name: "Make it longer" }).click();
  };
  await lengthen("7 days");
  await expect(support).toHaveURL(`/users/${id}`);
  await expect(support.getByText(/^On a break until/)).toBeVisible();
  await lengthen("24 hours");
  await expect(support.getByText(/It can be lengthened and not shortened/)).toBeVisible();
});
