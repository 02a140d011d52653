import type { PaymentAnswer } from "#src/money/payments/schemas.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { ShareView } from "#src/shares/schemas.ts";
import type { SessionsAnswer } from "#src/show/sessions/schemas.ts";
import { activeSlug, desk, newPage, phone, signedIn } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { violationsOf } from "./support/accessibility.ts";
import { complaintsOf } from "./support/complaints.ts";
import { type Fallback, fallbacks, inFallbacks } from "./support/fonts.ts";
import { inspectPage } from "./support/inspect-page.ts";
import { PROOF, type Page, expect, openLive, test } from "./support/journey.ts";
import { type Visit, visits } from "./support/visits.ts";

/** The narrowest screen on which nothing may be cut off. */
const SMALL_PHONE = { width: 320, height: 568 };
/**
 * Both layouts and both themes, combined once each. Each day a page is looked at in one, every other page in the second one, and on a
 * phone in one of the fallback fonts. With the proofs each page is looked at in both, and in each font.
 */
const variants = [
  { screen: "phone", theme: "light", viewport: phone },
  { screen: "desk", theme: "dark", viewport: desk },
] as const;

/** The change of the theme, which nobody sees on a page, takes no time. */
const still = { reducedMotion: "reduce" } as const;

/** Bull Board's own page, under our navigation and in our colours. */
const BOARD = "/admin/queues";
/** What axe finds in Bull Board's own markup: buttons and pictures without a name. It has no option for them. */
const foundInBoard = ["button-name", "image-redundant-alt", "svg-img-alt"];

for (const isProof of [false, true]) {
  const look: Look = { screens: variants, isProof };
  const how = `on a phone in light ${isProof ? "and" : "or"} on a desk in dark`;
  const tag = isProof ? [PROOF] : [];

  test(`no page complains or keeps anybody out, ${how}`, { tag }, async () => {
    const player = await signedIn("ana", still);
    const places = await placesOf(player);
    await visit(player, visits.player, places, look);
    await player.context().close();
    const visitor = await newPage(still);
    await visit(visitor, visits.signedOut, places, look);
    await visitor.goto("/users/sign_in");
    await visitor.getByRole("button", { name: /^(Play|Join) now$/ }).click();
    await expect(visitor).toHaveURL(/\/sessions\//);
    await visit(visitor, [new URL(visitor.url()).pathname, ...visits.guest], places, look);
  });

  test(`nor does any page of an admin, ${how}`, { tag }, async () => {
    const admin = await signedIn("admin", still);
    const places = await placesOf(admin);
    await visit(admin, visits.admin, places, look);
    await visit(admin, visits.projector, places, { ...look, screens: variants.slice(1) });
    for (const variant of isProof ? variants : variants.slice(1)) {
      await show(admin, variant);
      expect(await complaintsAtBoard(admin)).toEqual([]);
    }
  });
}

type Variant = (typeof variants)[number];
type Look = { screens: readonly Variant[]; isProof: boolean };
type Places = Readonly<Record<string, string | number>>;

/** What the names in the addresses of the visits stand for. A player's own pages are those of a session that is over. */
async function placesOf(page: Page): Promise<Places> {
  const api = apiOf(page);
  const { scores } = await api<{ scores: ScoreView[] }>("GET", "/api/v1/scores");
  const { sessions } = await api<SessionsAnswer>("GET", "/api/v1/sessions?state=stopped&per_page=100");
  const { calls } = await api<{ calls: CallView[] }>("GET", "/api/v1/calls?per_page=100");
  const call = calls.find(
    ({ sessionId, outcome }) => outcome !== null && sessions.some(({ id }) => id === sessionId),
  );
  const over = sessions.find(({ id }) => id === call?.sessionId) ?? sessions[0];
  const places = { LIVE: await activeSlug(page), OVER: over?.slug ?? "", PLAYER: scores[0]?.userId ?? "" };
  if (call === undefined) return places;
  const { share } = await api<{ share: ShareView }>("POST", "/api/v1/shares", {
    share: { kind: "result", target_id: call.id },
  });
  const { payment } = await api<PaymentAnswer>("POST", "/api/v1/payments", {
    payment: { amount: 20, of_age: true },
  });
  return {
    ...places,
    CALL: call.id,
    EVENT: call.eventId,
    SHARE: share.url.split("/").at(-1) ?? "",
    PAYMENT: payment.reference,
  };
}

/** An address of a visit. */
const addressOf = (address: string, places: Places) =>
  address.replaceAll(/[A-Z]{2,}/g, (name) => String(places[name]));

async function visit(
  page: Page,
  all: readonly Visit[],
  places: Places,
  { screens, isProof }: Look,
): Promise<void> {
  const complaints = complaintsOf(page);
  const addresses = all.flatMap((each) => (typeof each === "string" ? [each] : each.at));
  for (const [index, address] of addresses.entries()) {
    const path = addressOf(address, places);
    const ordered = index % 2 === 0 ? screens : screens.toReversed();
    const [first, ...others] = isProof ? ordered : ordered.slice(0, 1);
    if (first !== undefined) await show(page, first);
    await openLive(page, path);
    const { pathname, search } = new URL(page.url());
    if (pathname + search !== path) complaints.push(`${path} leads to ${pathname}`);
    const fonts = isProof ? fallbacks : fallbacks.slice(index % fallbacks.length).slice(0, 1);
    complaints.push(...(await complaintsAt(page, path, fonts)));
    for (const other of others) {
      await show(page, other);
      complaints.push(...(await complaintsAt(page, path, fonts)));
    }
  }
  expect(complaints).toEqual([]);
}

async function show(page: Page, { viewport, theme }: Variant): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: theme });
}

async function complaintsAt(page: Page, path: string, fonts: readonly Fallback[]): Promise<string[]> {
  const width = page.viewportSize()?.width;
  const look = async () => [...(await violationsOf(page)), ...(await inspectAll(page, fonts))];
  const found = await look();
  // A live page may have changed under the look: what stands there is seen again.
  const again = found.length === 0 ? [] : await look();
  return found
    .filter((complaint) => again.includes(complaint))
    .map((complaint) => `${path}, ${width} px wide: ${complaint}`);
}

/** What is wrong at the queue dashboard besides Bull Board's own faults. */
async function complaintsAtBoard(page: Page): Promise<string[]> {
  const complaints = complaintsOf(page);
  await page.goto(BOARD);
  await expect(page.getByRole("link", { name: /Event timers/ }).first()).toBeVisible();
  const found = await violationsOf(page);
  return [
    ...complaints,
    ...found.filter((each) => !foundInBoard.some((rule) => each.startsWith(`${rule}:`))),
  ];
}

/** What is cut off, covered or too small on the page's screen, and for a phone on a small one. */
async function inspectAll(page: Page, fonts: readonly Fallback[]): Promise<string[]> {
  const complaints = await inspectPage(page);
  const screen = page.viewportSize();
  if (screen === null || screen.width > phone.width) return complaints;
  await page.setViewportSize(SMALL_PHONE);
  // The first page that a browser opens stays in one of these.
  await inFallbacks(page, fonts, async (fallback) => {
    for (const complaint of await inspectPage(page))
      complaints.push(`on a small phone in ${fallback}: ${complaint}`);
  });
  await page.setViewportSize(screen);
  return complaints;
}
