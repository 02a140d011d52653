import type { SessionView } from "#src/show/sessions/schemas.ts";
import { desk, newPage, phone, type Player, signInAs } from "../players.ts";
import { type Api, apiOf } from "../show-host.ts";
import { PROOF, type Page, expect, openLive, test, use } from "../support/journey.ts";
import { signIn } from "../support/own-show.ts";
import {
  insertNodes,
  isStillTranslated,
  staleTexts,
  translatePage,
  wordsIn,
} from "../support/translate-page.ts";
import { callSide } from "../support/two-device-show.ts";
import { askBoth, closeWith, startForTwo } from "../support/two-player-show.ts";

/** How long a busy machine may take to bring a change to both pages. */
const SAME_WITHIN_MS = 60_000;
/** How long a translation may stand for a text that the page has changed, by the page's own record. */
const STALE_MAX_MS = 1_000;
const QUESTIONS = 6;
const big = { width: 1920, height: 1080 };

/** Two pages that show the same; one of them is translated. */
type Pair = { name: string; translated: Page; plain: Page; part: string };

const title = "a page translator takes no screen away, and everything that changes goes on changing";
test(title, { tag: PROOF }, async () => {
  test.slow();
  const failures: string[] = [];
  const show = await startForTwo([{ viewport: phone }, { viewport: phone }]);
  const [one, two] = show.players;
  const pairs = await openPairs(show.session, one);
  const [play, inserted] = pairs;
  for (const { translated, name } of pairs) {
    translated.on("pageerror", (error) => failures.push(`${name}: ${error.message}`));
    await (name === inserted.name ? insertNodes(translated) : translatePage(translated));
  }
  const expectSame = async () => {
    for (const pair of [...pairs, { ...play, part: ".topbar .balance" }]) await expectSameWords(pair);
  };

  await test.step("a question is open, and calls come in", async () => {
    const event = await askBoth(show, "Rain?");
    for (const { translated } of pairs) await expectToTick(translated);
    await callSide(one.api, event, "true", 7);
    await callSide(two.api, event, "false", 2);
    await expectSame();
    await closeWith(show, event, true);
    await expectSame();
  });

  await test.step("the leaders are open on the phones while ranks change", async () => {
    for (const page of [play.translated, inserted.translated, play.plain]) {
      await page.getByRole("link", { name: /^My rank/ }).click();
      await expect(page.getByRole("dialog", { name: "Leaders" })).toBeVisible();
    }
    // The other one leads now: both ranks move.
    const event = await askBoth(show, "Hail?");
    await callSide(one.api, event, "true", 20);
    await callSide(two.api, event, "false", 20);
    await closeWith(show, event, false);
    await expectSame();
  });

  await test.step(`${QUESTIONS} questions have come and gone`, async () => {
    for (let number = 3; number <= QUESTIONS; number += 1) {
      const event = await askBoth(show, `Question ${number}?`);
      await callSide(number % 2 === 0 ? one.api : two.api, event, "true", 1);
      await callSide(number % 2 === 0 ? two.api : one.api, event, "false", 2);
      await expectSame();
      await closeWith(show, event, number % 3 === 0);
      await expectSame();
    }
  });

  for (const { translated, name } of pairs)
    expect([name, await isStillTranslated(translated)]).toEqual([name, true]);
  for (const { translated, name } of pairs.filter((pair) => pair !== inserted))
    expect.soft(await staleTexts(translated, STALE_MAX_MS), name).toEqual([]);
  expect(failures).toEqual([]);
});

/** The play screen, the big screen and the control room, each twice. */
async function openPairs({ slug }: SessionView, player: Player): Promise<readonly [Pair, Pair, Pair, Pair]> {
  const open = async (path: string, viewport: typeof phone, signInTo?: (api: Api) => Promise<void>) => {
    const page = await newPage({ viewport });
    await signInTo?.(apiOf(page));
    await openLive(page, `/sessions/${slug}${path}`);
    await use(page);
    return page;
  };
  const twice = async (...what: Parameters<typeof open>) => ({
    part: "main",
    translated: await open(...what),
    plain: await open(...what),
  });
  const asPlayer = (api: Api) => signIn(api, player);
  const inserted = { name: "play, with inserted nodes", ...(await twice("", phone, asPlayer)) };
  return [
    { name: "play", part: "main", translated: player.page, plain: inserted.plain },
    inserted,
    { name: "stage", ...(await twice("/stage", big)) },
    { name: "control room", ...(await twice("/admin", desk, (api) => signInAs(api, "admin"))) },
  ];
}

/** The translated page has the words of the other one, as soon as both have heard of everything. */
async function expectSameWords({ translated, plain, name, part }: Pair): Promise<void> {
  await expect(async () => {
    expect([name, ...(await wordsIn(translated, part))]).toEqual([name, ...(await wordsIn(plain, part))]);
  }).toPass({ timeout: SAME_WITHIN_MS });
}

/** The clock of an open question goes on. */
async function expectToTick(page: Page): Promise<void> {
  const digits = page.locator(".clock output").first();
  const before = await digits.textContent();
  await expect(digits).not.toHaveText(before ?? "");
}
