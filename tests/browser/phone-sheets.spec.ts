import type { EventView } from "#src/show/events/schemas.ts";
import { desk, phone, signedInAt, withoutScript } from "./players.ts";
import { violationsOf } from "./support/accessibility.ts";
import { type Device, type Page, expect, hydrated, pullDown, test, untilSeen } from "./support/journey.ts";
import { atMoment } from "./support/page-states.ts";
import { callSide } from "./support/two-device-show.ts";
import {
  askBoth,
  closeWith,
  expectNothingMoved,
  startForTwo,
  type TwoPlayerShow,
} from "./support/two-player-show.ts";

const touched: Device = { viewport: phone, hasTouch: true };
const small: Device = { viewport: { width: 360, height: 640 } };

const rank = (page: Page) => page.getByRole("link", { name: /^My rank/ });
const leaders = (page: Page) => page.getByRole("dialog", { name: "Leaders" });
const chat = (page: Page) => page.getByRole("dialog", { name: "Chat" });
const chatButton = (page: Page) => page.getByRole("button", { name: /^Chat/ });
const reactions = (page: Page) => page.getByRole("button", { name: /^React/ });
const lineIn = (page: Page, text: string) =>
  page.getByRole("log", { name: "Messages" }).getByRole("listitem").filter({ hasText: text });

/** Where the parts of the open sheet are. */
async function boxesOf(page: Page): Promise<unknown> {
  // The sheet has come all the way in.
  await page.locator("dialog[open]").evaluate(async (sheet) => {
    const coming = sheet.getAnimations({ subtree: true });
    const finite = coming.filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.all(finite.map(({ finished }) => finished));
  });
  const parts = page.locator("dialog[open]").locator("h2, .live-line, .podium-three > li, footer");
  return parts.evaluateAll((elements) =>
    elements
      .map((element) => element.getBoundingClientRect())
      .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)),
  );
}

test("on a phone a player sees the own rank move after results, and opens the leaders by touch, by keyboard and without JavaScript", async () => {
  const show = await startForTwo([touched, small]);
  const [{ page: one, api: asOne, username }, { page: two, api: asTwo }] = show.players;
  for (const page of [one, two]) await expect(page.getByRole("link", { name: "Ranks" })).toBeVisible();
  await expectRankWithoutJavaScript(show);
  const first = await askBoth(show, "Rain?");
  await callSide(asOne, first, "true");
  await callSide(asTwo, first, "false");
  await closeWith(show, first, true);
  await expect(rank(one)).toHaveAccessibleName("My rank: 1 of 2 new");
  await expect(rank(two)).toHaveAccessibleName("My rank: 2 of 2 new");

  await rank(one).tap();
  await expect(leaders(one).getByText(`${username} (you)`)).toBeVisible();
  await rank(two).press("Enter");
  await expect(leaders(two).getByRole("button", { name: "Close leaders" })).toBeFocused();

  // Both stay open, and follow the game; nothing moves in them.
  const before = await boxesOf(two);
  const second = await askBoth(show, "Hail?");
  const wayBack = leaders(one).getByRole("button", { name: /^Hail\? Closes in .* Back to the game$/ });
  await expect(wayBack).toBeVisible();
  await callSide(asOne, second, "true");
  await callSide(asTwo, second, "false");
  await closeWith(show, second, false);
  await expect(leaders(two).getByRole("listitem").filter({ hasText: "(you)" })).toContainText("=1");
  await expect(rank(two)).toHaveText(/=1 of 2/);
  await expect.poll(() => boxesOf(two)).toEqual(before);
  await two.keyboard.press("Escape");
  await expect(leaders(two)).toBeHidden();
  await expect(rank(two)).toBeFocused();
  await expect(rank(two)).toHaveAccessibleName("My rank: =1 of 2 up 1");
  await closeEachWay(one);
});

/** There the rank is a link to the leaders. */
async function expectRankWithoutJavaScript({ players: [{ page }], session }: TwoPlayerShow): Promise<void> {
  const plain = await withoutScript(page, small);
  await plain.goto(`/sessions/${session.slug}`);
  await plain.getByRole("link", { name: "Ranks" }).click();
  await expect(plain).toHaveURL(/\/leaders$/);
  await plain.getByRole("link", { name: /Back to live$/ }).click();
  await expect(plain).toHaveURL(new RegExp(`/sessions/${session.slug}$`));
}

/** The open leaders close by a pull, the way back, "Back" and a tap beside them, and lead to all players. */
async function closeEachWay(page: Page): Promise<void> {
  await pullDown(page, leaders(page).getByRole("heading", { name: "Leaders" }));
  await expect(leaders(page)).toBeHidden();
  await rank(page).tap();
  await leaders(page)
    .getByRole("button", { name: /Back to the game$/ })
    .tap();
  await expect(leaders(page)).toBeHidden();
  await rank(page).tap();
  await expect(leaders(page)).toBeVisible();
  await page.goBack();
  await expect(leaders(page)).toBeHidden();
  await rank(page).tap();
  await expect(leaders(page)).toBeVisible();
  await page.touchscreen.tap(100, 20);
  await expect(leaders(page)).toBeHidden();

  // The page of all players is a tap away, and "Back" leads to the sheet.
  await rank(page).tap();
  await leaders(page).getByRole("link", { name: "All 2 players" }).tap();
  await expect(page).toHaveURL(/\/leaders$/);
  await expect(page.getByRole("heading", { name: "Leaders", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(leaders(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(leaders(page)).toBeHidden();
}

/** Nobody misses a close in a sheet: the last seconds stand out there, with the way back. */
async function expectCloseSeen(show: TwoPlayerShow): Promise<EventView> {
  const [{ page }] = show.players;
  await chatButton(page).tap();
  const event = await askBoth(show, "Rain?");
  // The last seconds do not end before somebody has looked.
  const lastSeconds = atMoment(Date.parse(event.closesAt ?? "") - 3_000);
  await lastSeconds.enter(page);
  const closing = chat(page).locator(".live-line.closing");
  await expect(closing).toContainText(/Closes in \d\.\d/);
  await closing.tap();
  await expect(chat(page)).toBeHidden();
  await expect(page.getByRole("radio", { name: /True/ })).toBeVisible();
  await lastSeconds.leave(page);
  return event;
}

test("on phones players chat in a sheet with an unread mark, see each other's reactions, and nobody misses a close; what the host removes is gone", async () => {
  const show = await startForTwo([touched, small]);
  const [{ page: one, api: asOne }, { page: two, api: asTwo }] = show.players;
  const host = await signedInAt("admin", `/sessions/${show.session.slug}/leaders`, { viewport: desk });
  const event = await expectCloseSeen(show);

  // Who has not joined cannot react yet, and reads why.
  await reactions(one).tap();
  await untilSeen(
    () => one.getByRole("button", { name: "Wow" }).first().tap(),
    one.getByText("Place a call first, then you can react.").first(),
  );
  await callSide(asOne, event, "true");
  await callSide(asTwo, event, "false");

  const slow = { settings: { slow_mode_seconds: 60 } };
  await show.host("PATCH", `/api/v1/sessions/${show.session.slug}`, { session: slow });
  await chatButton(two).click();
  await expect(chat(two)).toBeVisible();
  const words = `Anybody dry? ${Date.now()}`;
  await chat(two).getByLabel("Message", { exact: true }).fill(words);
  await two.keyboard.press("Enter");
  await expect(lineIn(two, words)).toContainText("(you)");
  // The button that counts down can be read.
  await expect(chat(two).getByRole("button", { name: /^\d+ s$/ })).toBeVisible();

  await expect(one.getByRole("button", { name: "Chat 1 new message" })).toBeVisible();
  await expect(one.getByText("1 new message in the chat.")).toBeAttached();
  await chatButton(one).tap();
  await expect(lineIn(one, words)).toBeVisible();
  await chat(one).getByLabel("Message", { exact: true }).fill("Not me, but");
  await one.keyboard.press("Escape");
  await expect(chat(one)).toBeHidden();
  await expect(one.getByRole("button", { name: "Chat", exact: true })).toBeFocused();
  await chatButton(one).tap();
  await expect(chat(one).getByLabel("Message", { exact: true })).toHaveValue("Not me, but");

  // A reload changes neither the open sheet nor what was written.
  await one.reload();
  await expect(chat(one).getByLabel("Message", { exact: true })).toHaveValue("Not me, but");
  await expect(lineIn(one, words)).toBeVisible();

  await reactFromBoth(one, two);
  await two.keyboard.press("Escape");
  await expect(reactions(two)).toBeFocused();
  await expect(reactions(two)).toHaveAttribute("aria-expanded", "false");
  await expectNothingMoved(show);

  await host.getByRole("link", { name: /^Chat \d+ new messages?$/ }).click();
  await lineIn(host, words).getByText("Manage").click();
  await lineIn(host, words).getByRole("button", { name: "Remove message" }).click();
  await chatButton(one).tap();
  await chatButton(two).click();
  for (const page of [host, one, two]) await expect(lineIn(page, words)).toHaveCount(0);
  await expect(lineIn(two, "Removed")).toContainText("(you)");
});

/** A reaction from the sheet of one phone, and one from the row of the other, are counted in the ticker of the other phone. */
async function reactFromBoth(one: Page, two: Page): Promise<void> {
  await two.keyboard.press("Escape");
  const counted = (page: Page, kind: string) =>
    page
      .getByRole("button", { name: new RegExp(`^React. Just now: .*${kind} [1-9]`) })
      .filter({ hasText: /[1-9]/ });
  await untilSeen(() => chat(one).getByRole("button", { name: "Love" }).tap(), counted(two, "Love"));
  await one.goBack();
  await expect(chat(one)).toBeHidden();
  await reactions(two).press("Enter");
  expect(await violationsOf(two)).toEqual([]);
  const fire = two.getByRole("group", { name: "React" }).getByRole("button", { name: "Fire" });
  await untilSeen(() => fire.press("Enter"), counted(one, "Fire"));
}

test("from a live session a player looks at the history and the wallet, and is back by one tap; the rail is kept", async () => {
  const show = await startForTwo([touched, { viewport: desk }]);
  const [{ page: handheld, api }, { page: wide }] = show.players;
  await callSide(api, await askBoth(show, "Rain?"), "true");
  const bar = (page: Page) => page.getByRole("complementary", { name: "Live session" });
  const { slug } = show.session;
  for (const page of [handheld, wide]) {
    await page.getByRole("link", { name: "History", exact: true }).click();
    await expect(page).toHaveURL(/\/history$/);
    await expect(bar(page)).toContainText(/Live: closes in \d+:\d\d/);
    await expect(bar(page)).toContainText("Rain?");
    if (page === handheld) expect(await violationsOf(page)).toEqual([]);
    await bar(page)
      .getByRole("link", { name: /Back to live$/ })
      .click();
    await expect(page).toHaveURL(new RegExp(`/sessions/${slug}$`));
    await page.getByRole("link", { name: /^Available/ }).click();
    await expect(page).toHaveURL(/\/profile\/wallet$/);
    await expect(page.getByRole("heading", { name: "Wallet", level: 1 })).toBeVisible();
    await page.goBack();
    await expect(page.locator(".card-q")).toHaveText("Rain?");
  }
  await expectRailKept(wide);
});

/** What a desk shows beside the game is still open after a reload. */
async function expectRailKept(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Chat", exact: true }).click();
  await expect(page.getByRole("log", { name: "Messages" })).toBeVisible();
  await page.reload();
  await hydrated(page);
  await expect(page.getByRole("log", { name: "Messages" })).toBeVisible();
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Live", exact: true })).toBeVisible();
  await page.reload();
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "Live", exact: true })).toBeVisible();
}
