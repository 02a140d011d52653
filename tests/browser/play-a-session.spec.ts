import { formatChange, formatMoney } from "#client/base/format/money.ts";
import { callOn, desk, leadersOf, profileOf, signedIn, signedInByForm } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { type Page, expect, openLive, test } from "./support/journey.ts";
import { callSide, decide, startShow } from "./support/two-device-show.ts";

test("ana places a call on her phone, ben sees the pool change, and all screens agree on the result", async () => {
  const ana = await signedInByForm("ana");
  const ben = await signedIn("ben", { viewport: desk });
  const show = await startShow();
  const { open: event, path, session } = show;
  await ana.goto(path);
  await openLive(ben, path);
  await ben.evaluate(() => Object.assign(globalThis, { neverReloaded: true }));

  const before = await profileOf(ana);
  const spot = ana.getByRole("radio", { name: /You think/ });
  await expect(ana.getByRole("heading", { name: event.title })).toBeVisible();
  await ana.getByRole("button", { name: "$5", exact: true }).click();
  await spot.click();
  await expect(ana.getByText(/^Placed \d+:\d\d:\d\d/)).toBeVisible();
  await expect(ben.getByText(/^ana called/).first()).toBeVisible();
  expect(await ben.evaluate(() => "neverReloaded" in globalThis)).toBe(true);

  // The available balance falls at once; the balance itself changes with the result.
  const { balanceCents, availableBalanceCents } = before.wallet;
  const available = formatMoney(availableBalanceCents - 500);
  await expect(ana.getByRole("link", { name: `Available ${available}` })).toBeVisible();
  await expect
    .poll(async () => (await profileOf(ana)).wallet)
    .toMatchObject({ balanceCents, availableBalanceCents: availableBalanceCents - 500 });

  await callSide(apiOf(ben), event, "false");
  const shown = await watchNet(ana);
  await decide(show, event, true);
  // Only on the card: the closed list of notifications may have the same text about earlier calls.
  const card = ana.locator("#main");
  await expect(card.getByText(/You called it/).first()).toBeVisible();

  const call = await callOn(ana, event.id);
  const after = await profileOf(ana);
  const netCents = 500;
  await expectCountedUp(shown, netCents);
  expect(call).toMatchObject({ state: "resolved", wagerCents: 500, netCents });
  expect(after.wallet.balanceCents).toBe(before.wallet.balanceCents + netCents);
  const now = formatMoney(after.wallet.availableBalanceCents);
  await expect(ana.getByRole("link", { name: `Available ${now}` })).toBeVisible();

  await ana.getByRole("link", { name: "History" }).click();
  const row = ana.getByRole("listitem").filter({ hasText: event.title }).first();
  await expect(row).toContainText(formatChange(netCents));

  await ana.goto("/profile/wallet");
  await expect(ana.getByText(formatMoney(after.wallet.balanceCents)).first()).toBeVisible();
  await expect(ana.getByRole("row").filter({ hasText: event.title }).first()).toContainText(
    formatMoney(after.wallet.balanceCents),
  );

  const inSession = after.calls.filter((one) => one.sessionSlug === session.slug && one.state === "resolved");
  await expect
    .poll(async () => (await leadersOf(ana, session.slug)).me?.netCents)
    .toBe(inSession.reduce((sum, one) => sum + (one.netCents ?? 0), 0));
});

/** Watches what a card says was won. @returns all amounts that it has shown since, in cents: a win is counted up. */
async function watchNet(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const shown: string[] = [];
    const look = () => {
      const net = document.querySelector("#main .result .net")?.textContent ?? "";
      if (net !== "" && net !== shown.at(-1)) shown.push(net);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Object.assign(globalThis, { shownNet: shown });
  });
  return async () => {
    const shown = await page.evaluate<string[]>("shownNet");
    return shown.map((text) => Math.round(Number(text.replace("$", "")) * 100));
  };
}

async function expectCountedUp(shown: () => Promise<number[]>, toCents: number): Promise<void> {
  await expect.poll(async () => (await shown()).at(-1)).toBe(toCents);
  const counted = await shown();
  expect(counted.length).toBeGreaterThan(1);
  expect(counted).toEqual(counted.toSorted((a, b) => a - b));
}
