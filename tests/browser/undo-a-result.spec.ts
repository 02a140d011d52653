import { type Browser, expect, type Page } from "playwright/test";
import type { CallView } from "#src/calls/schemas.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { desk, phone, signedIn } from "./players.ts";
import { type Api, apiOf, guestAt } from "./show-host.ts";
import { test } from "./support/journey.ts";

const DISARM_AFTER_MS = 8_000;

type Show = { host: Page; api: Api; session: SessionView; eventId: number };
type Balance = { user: { wallet: { balance: number; held: number } } };

test("a host takes a result back with one key before it is paid, and no money moves", async ({ browser }) => {
  const { host, api, session, eventId } = await hostShow(browser);
  expect(session.settings.settlementDelaySeconds).toBe(5);
  const phoneOfAna = await browser.newContext({ viewport: phone });
  const ana = apiOf(phoneOfAna, host.url());
  await ana("POST", "/users/guest");
  await callOn(ana, await read(api, eventId), 0);
  const player = await phoneOfAna.newPage();
  await player.goto(new URL(`/sessions/${session.slug}`, host.url()).href);
  await api("PUT", `/api/v1/events/${eventId}/advance`, { event: {} });

  // While the show is paused the result waits without end.
  await api("PUT", `/api/v1/sessions/${session.slug}/pause`);
  await expect(host.getByRole("button", { name: "Resume", exact: true })).toBeVisible();
  await host.keyboard.press("t");
  await expect(host.getByText("Largest win")).toBeVisible();
  await host.keyboard.press("Enter");
  const bar = host.getByRole("region", { name: "Undo" });
  await expect(bar).toContainText("Result: Yes, pays 0:05 after the show resumes");
  await expect(bar.getByRole("button", { name: "Take it back" })).toHaveAttribute("aria-keyshortcuts", "U");
  await expect(player.getByText("Result: Yes, pays after the pause")).toBeVisible();
  await host.keyboard.press("p");
  await expect(bar).toContainText(/Result: Yes, pays in 0:0[1-5]/);
  await host.keyboard.press("u");

  await expect(bar).toBeHidden();
  await expect(host.getByText("Taken back: it is undecided, and no money has moved.")).toBeAttached();
  expect(await read(api, eventId)).toMatchObject({ state: "closed", result: null, pendingResult: null });
  expect((await ana<Balance>("GET", "/api/v1/users/me")).user.wallet).toMatchObject({
    balance: 100,
    held: 5,
  });
  await expect(player.getByText("Calls are closed.")).toBeVisible();
});

test("after the payment U shows what the other result pays; a late call that was refunded stays refunded", async ({
  browser,
}) => {
  const { host, api, eventId } = await hostShow(browser);
  const [ana, ben, cleo] = [
    await guestAt(browser, host.url()),
    await guestAt(browser, host.url()),
    await guestAt(browser, host.url()),
  ];
  const event = await read(api, eventId);
  await callOn(ana, event, 0);
  await callOn(ben, event, 1);
  const late = await callOn(cleo, event, 0);
  await api("PATCH", `/api/v1/events/${eventId}/state`, {
    event: { state_event: "resolve", result: true, effective_at: late.placedAt },
  });

  const bar = host.getByRole("region", { name: "Undo" });
  await expect(bar).toContainText("Paid: Yes");
  await host.keyboard.press("u");
  const question = host.getByRole("alertdialog", { name: "Correct it to No?" });
  await expect(question).toContainText("1 call refunded");
  await expect(question.getByRole("radio", { name: "As before" })).toBeChecked();
  await question.getByRole("textbox", { name: /^Reason/ }).fill("The other one.");
  await question.getByRole("button", { name: "Pay out No" }).click();

  const outcome = async (by: Api) =>
    (await by<{ calls: CallView[] }>("GET", "/api/v1/calls")).calls[0]?.outcome;
  await expect.poll(() => outcome(ben)).toBe("won");
  expect([await outcome(ana), await outcome(cleo)]).toEqual(["lost", "refunded"]);
  expect((await read(api, eventId)).result).toBe(false);
});

test("an armed result disarms by itself, and with Escape; ? lists the keys", async ({ browser }) => {
  const { host, api, eventId } = await hostShow(browser);
  await host.clock.install();
  await host.reload();
  await host.locator("#root[data-hydrated]").waitFor();
  const question = host.getByRole("alertdialog", { name: "Resolve it as Yes?" });
  await host.keyboard.press("t");
  await expect(question).toBeVisible();
  await host.clock.runFor(DISARM_AFTER_MS / 2);
  await host.keyboard.press("Shift");
  await host.clock.runFor(DISARM_AFTER_MS / 2);
  await expect(question).toBeVisible();
  await host.clock.runFor(DISARM_AFTER_MS / 2);
  await expect(question).toBeHidden();

  await host.keyboard.press("t");
  await expect(question).toBeVisible();
  await host.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await host.keyboard.press("?");
  await expect(host.getByRole("dialog", { name: "Keys" })).toContainText("take the newest result back");
  expect(await read(api, eventId)).toMatchObject({ state: "open", pendingResult: null });
});

/** A session with the default settings and one open event, on the host's screen. */
async function hostShow(browser: Browser): Promise<Show> {
  const host = await signedIn(browser, "admin", { viewport: desk });
  const api = apiOf(host.context(), new URL(host.url()).origin);
  const { session } = await api<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `Undo ${crypto.randomUUID()}` },
  });
  const add = async (event: object) =>
    (
      await api<{ event: EventView }>("POST", "/api/v1/events", {
        event: { session_id: session.id, ...event },
      })
    ).event;
  await add({ title: "Will it end?", start_mode: "offset", offset_seconds: 3_600 });
  await api("PUT", `/api/v1/sessions/${session.slug}/start`);
  const sides = { true_label: "Yes", false_label: "No" };
  const event = await add({ title: "Will it rain?", ...sides, duration_seconds: 300, ask: true });
  await host.goto(`/sessions/${session.slug}/admin`);
  await host.locator("#root[data-hydrated]").waitFor();
  return { host, api, session, eventId: event.id };
}

const read = async (api: Api, eventId: number) =>
  (await api<{ event: EventView }>("GET", `/api/v1/events/${eventId}`)).event;

async function callOn(by: Api, { spots }: EventView, side: 0 | 1): Promise<CallView> {
  const body = { call: { spot_id: spots[side].id, wager: 5 } };
  return (await by<{ call: CallView }>("POST", "/api/v1/calls", body)).call;
}
