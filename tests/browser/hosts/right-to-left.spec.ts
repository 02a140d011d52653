import type { ShareView } from "#src/shares/schemas.ts";
import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import { desk, newPage, phone, signedIn } from "../players.ts";
import { type Api, apiOf } from "../show-host.ts";
import { type Page, expect, openLive, test, use } from "../support/journey.ts";
import { findMislaid } from "../support/lies-right.ts";
import { ask, change, joinCodeOf, register, startSession } from "../support/own-show.ts";
import { callSide } from "../support/two-device-show.ts";

const QUESTION = "هل يسجل الفريق هدفا!";
const LABELS = { true_label: "نعم نعم!", false_label: "لا لا!" };
const ABOUT = "عرض يوم الجمعة!";
const SAID = "مرحبا بكم جميعا!";
const REASON = "الحكم قرر ذلك!";
const widths = [phone, desk] as const;
const softly = expect.configure({ soft: true });

/** What a page shows of the texts of people: each must be there, so that the look has something to see. */
type Stop = { path: string; shows: readonly string[] };

test("what people wrote from right to left lies right wherever it is shown", async () => {
  test.slow();
  const admin = await signedIn("admin");
  const host = apiOf(admin);
  const { session, code } = await plan(host);
  const one = await playerOf();
  const stranger = await newPage();
  await stranger.goto(`/join?code=${code}`);
  await expectRight(stranger, [ABOUT]);
  const first = await playFirst({ host, admin, session, one });
  const played = await decide({ host, admin, session, one }, first);
  await host("PUT", `/api/v1/sessions/${session.slug}/stop`);
  await visitAfterwards({ admin, session, one }, played);
});

type Player = Awaited<ReturnType<typeof playerOf>>;
type Show = { host: Api; admin: Page; session: SessionView; one: Player };

/** The player joins by the code, is in the show, and calls its first question. */
async function playFirst({ host, admin, session, one }: Show): Promise<EventView> {
  const { page: player, api, name } = one;
  const show = `/sessions/${session.slug}`;
  await visit(player, [{ path: `${show}/remind`, shows: [ABOUT] }]);
  await startSession(host, session);
  const first = await ask(host, session.id, QUESTION, LABELS);
  await openLive(player, show);
  await use(player);
  await expectRight(player, [QUESTION, LABELS.true_label]);
  await callSide(api, first, "true", 3);
  await api("POST", "/api/v1/messages", { message: { session_id: session.id, body: SAID } });
  await expect(player.locator("main")).toContainText(name);
  await expectRight(player, [QUESTION, LABELS.false_label, name]);
  await visit(admin, [{ path: `${show}/chat`, shows: [SAID, name] }]);
  await admin.getByRole("textbox", { name: "Message" }).fill(SAID);
  await expectRight(admin, [SAID]);
  await visit(admin, [
    { path: `${show}/admin`, shows: [QUESTION, LABELS.true_label, ABOUT, name] },
    { path: `${show}/stage`, shows: [QUESTION, LABELS.true_label] },
    { path: `${show}/stage?overlay=1`, shows: [QUESTION] },
    { path: `${show}/edit`, shows: [ABOUT] },
  ]);
  return first;
}

type Played = { settled: string; call: CallLine | undefined };

/** The host decides it, with a reason. The player shares the call and the show. */
async function decide({ host, admin, session, one }: Show, first: EventView): Promise<Played> {
  const { page: player, api, name } = one;
  const show = `/sessions/${session.slug}`;
  await change(host, first, { state_event: "close_event" });
  await change(host, first, { state_event: "resolve", result: true, reason: REASON });
  const settled = `${show}/events/${first.id}`;
  await expect
    .poll(async () => (await callsOf(api)).find(({ eventId }) => eventId === first.id)?.outcome)
    .toEqual(expect.any(String));
  const call = (await callsOf(api)).find(({ eventId }) => eventId === first.id);
  // For some seconds the control room offers to correct it.
  await visit(admin, [
    { path: `${show}/admin`, shows: [QUESTION] },
    { path: `${show}/stage`, shows: [LABELS.true_label] },
  ]);
  await openLive(player, show);
  await use(player);
  await expectRight(player, [name]);
  await ask(host, session.id, QUESTION, LABELS);
  return { settled, call };
}

async function visitAfterwards(
  { admin, session, one: { page: player, api, name } }: Omit<Show, "host">,
  { settled, call }: Played,
): Promise<void> {
  const show = `/sessions/${session.slug}`;
  const shares = await Promise.all(
    [
      { kind: "result", target_id: call?.id },
      { kind: "session", target_id: session.id },
    ].map((share) => api<{ share: ShareView }>("POST", "/api/v1/shares", { share })),
  );
  await visit(player, [
    { path: show, shows: [name] },
    { path: `${show}/history`, shows: [QUESTION, LABELS.true_label] },
    { path: `${show}/history/${call?.id ?? 0}`, shows: [QUESTION, LABELS.true_label, REASON] },
    { path: settled, shows: [QUESTION, LABELS.true_label] },
    { path: "/profile", shows: [name] },
    { path: "/profile/details", shows: [name] },
    { path: "/profile/wallet", shows: [QUESTION] },
    { path: "/shares", shows: [QUESTION] },
    ...shares.map(({ share }) => ({ path: new URL(share.url).pathname, shows: [name] })),
  ]);
  await visit(player, [{ path: `${show}/replay`, shows: [ABOUT] }]);
  await player.getByRole("button", { name: "Next result" }).click();
  await expectRight(player, [QUESTION, LABELS.true_label]);
  await visit(admin, [
    { path: `${show}/admin`, shows: [QUESTION] },
    { path: `${show}/stage`, shows: [name] },
    { path: "/sessions", shows: [ABOUT] },
    { path: `${show}/leaders`, shows: [name] },
    { path: `/leaderboard/${call?.userId ?? 0}`, shows: [name] },
    { path: "/users", shows: [name] },
    { path: `/users/${call?.userId ?? 0}`, shows: [name] },
    { path: "/blueprints", shows: [ABOUT] },
    ...["", "/edit", "/edit?panel=1", "/dry_run"].map((page) => ({
      path: `/blueprints/${session.blueprintId ?? 0}${page}`,
      shows: [ABOUT],
    })),
  ]);
}

async function plan(host: Api): Promise<{ session: SessionView; code: string }> {
  const settings = {
    settlement_delay_seconds: 0,
    chat_approval: true,
    teams: ["فريق الصقور!", "فريق النمور!"],
    brand: { accent: "#0072b3", sponsor: "برعاية المتجر!" },
  };
  const { blueprint } = await host<{ blueprint: BlueprintView }>("POST", "/api/v1/blueprints", {
    blueprint: { name: `${ABOUT} ${uniqueNumber()}`, description: ABOUT },
  });
  // It opens later than the questions that the host asks: what closes first is on the card.
  const later = { start_mode: "offset", offset_seconds: 7_200 };
  await host("POST", "/api/v1/blueprint_events", {
    blueprint_event: { blueprint_id: blueprint.id, title: QUESTION, description: ABOUT, ...LABELS, ...later },
  });
  const { session } = await host<{ session: SessionView }>(
    "POST",
    `/api/v1/blueprints/${blueprint.id}/generate_session`,
    {
      session: {
        name: `${ABOUT} ${uniqueNumber()}`,
        starts_at: new Date(Date.now() + 86_400_000).toISOString(),
      },
    },
  );
  await host("PATCH", `/api/v1/sessions/${session.slug}`, { session: { description: ABOUT, settings } });
  return { session, code: (await joinCodeOf(host, session)).code };
}

async function playerOf() {
  const page = await newPage();
  const api = apiOf(page);
  const { username: name } = await register(api, "علي رضا");
  return { page, api, name };
}

type CallLine = { id: number; userId: number; eventId: EventView["id"]; outcome: string | null };
const callsOf = async (api: Api) =>
  (await api<{ calls: CallLine[] }>("GET", "/api/v1/calls?per_page=100")).calls;

async function visit(page: Page, stops: readonly Stop[]): Promise<void> {
  for (const { path, shows } of stops) {
    await openLive(page, path);
    await use(page);
    await expectRight(page, shows);
  }
}

/** The page shows these texts, and none of the texts on it lies wrong, on a phone and on a desk. */
async function expectRight(page: Page, shows: readonly string[]): Promise<void> {
  for (const text of shows)
    await softly.poll(() => wordsOf(page), { message: `${page.url()} shows ${text}` }).toContain(text);
  for (const viewport of widths) {
    await page.setViewportSize(viewport);
    expect.soft(await findMislaid(page), `${page.url()}, ${viewport.width} px wide`).toEqual([]);
  }
}

/** The texts of a page, with those in its fields. */
function wordsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea")];
    return [document.body.innerText, ...fields.map(({ value }) => value)].join(" ");
  });
}
