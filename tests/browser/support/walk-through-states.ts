import type { BrowserContext } from "playwright/test";
import { rightUnopposed } from "#client/events/action-texts.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type Api, apiOf, newGuest } from "../show-host.ts";
import { add, ask, change, createSession, startSession } from "./own-show.ts";
import {
  atMoment,
  delayedPage,
  type PageState,
  withoutNetwork,
  withResultBar,
  withToast,
} from "./page-states.ts";
import { callSide, decide } from "./two-device-show.ts";

const HOUR_S = 3_600;
const OPEN_FOR_S = 1_200;
const LONG_QUESTION =
  "Will the visiting side from the other end of the valley score a goal by a header within the first fifteen minutes of the second half today?";
const REASON = "The referee says so.";
const LONG_REASON =
  "The referee has looked at it for four minutes: the ball had crossed the line by the width of a finger before the keeper reached it, as everybody has seen.";
const LONG_LABELS = { true_label: "Certainly within minutes", false_label: "Not before the interval" };

/** A session of its own, the host's and the players' APIs, and the question on the card. */
export type Show = { host: Api; session: SessionView; players: readonly Api[]; others: readonly Api[] };
/** A state of the card, and a text that a player's card has in no other: not in the one before, nor while its calls are paid. */
export type CardState = {
  name: string;
  text: string | RegExp;
  /** What brings a page into it besides the show. */
  page?: PageState;
  /** Only a page that was open before shows it. */
  isNews?: true;
};
export type Look = (state: CardState) => Promise<void>;

/** Prepares a session that has not started. */
export async function prepareShow(host: Api, contexts: readonly BrowserContext[]): Promise<Show> {
  const session = await createSession(host, "States", { settlement_delay_seconds: 1 });
  const players = contexts.map((context) => apiOf(context));
  for (const player of players) await player("POST", "/users/guest");
  const others = [await newGuest(), await newGuest()];
  return { host, session, players, others };
}

/**
 * Leads a session through all states that a player's card has, and looks at the players' cards in each.
 * @param show from `prepareShow`; its players look at its Action screen.
 */
export async function walkThroughStates(show: Show, look: Look): Promise<void> {
  const { host, session } = show;
  await look({ name: "pending", text: /has not started yet/ });
  await add(host, session.id, "Much later?", { start_mode: "offset", offset_seconds: HOUR_S });
  await startSession(host, session);
  await look({ name: "waiting", text: /The next question is on its way/ });
  await showNext(show, look);
  await playOne(show, look);
  await tellWhileOpen(show, look);
  await lose(show, look);
  await giveBack(show, look);
  await writeLong(show, look);
  await host("PUT", `/api/v1/sessions/${session.slug}/stop`);
  await look({ name: "over", text: "That was it." });
}

/** An event that players can read before it opens. */
async function showNext({ host, session }: Show, look: Look): Promise<void> {
  const event = await add(host, session.id, "Will it be soon?", { duration_seconds: 30 });
  const opensAt = new Date(Date.now() + (OPEN_FOR_S / 2) * 1_000).toISOString();
  await host("PATCH", `/api/v1/events/${event.id}`, { event: { opens_at: opensAt } });
  await change(host, event, { state_event: "publish_event" });
  await look({ name: "visible", text: "Will it be soon?" });
  await change(host, event, { state_event: "hide" });
}

/** An event from its opening to a win, and the correction of it. */
async function playOne(show: Show, look: Look): Promise<void> {
  const { host, session } = show;
  const event = await ask(show.host, show.session.id, "Will it rain before the break?");
  await look({ name: "open", text: event.title });
  await callAll(show.others, event, "false");
  await callAll(show.players, event, "true");
  await look({ name: "called", text: /Placed \d/ });
  await lookFromElsewhere(event, look);
  await host("PUT", `/api/v1/sessions/${session.slug}/pause`);
  await look({ name: "paused", text: "Paused by the host." });
  await host("PUT", `/api/v1/sessions/${session.slug}/resume`);
  await host("PUT", `/api/v1/events/${event.id}/advance`, { event: {} });
  await look({ name: "closed", text: "Calls are closed." });
  // While the session is paused the result waits without end.
  await host("PUT", `/api/v1/sessions/${session.slug}/pause`);
  await decide(show, event, true);
  await look({ name: "paying soon", text: "Paying soon" });
  await host("PUT", `/api/v1/sessions/${session.slug}/resume`);
  await look({ name: "won", text: "You called it" });
  await decide(show, event, false, "The other one.");
  await look({ name: "corrected", text: /Corrected/, isNews: true });
}

/** An open event at its close, without a network, and with a stream delay. */
async function lookFromElsewhere({ title, closesAt }: EventView, look: Look): Promise<void> {
  const closesAtMs = Date.parse(closesAt ?? "");
  await look({ name: "closing", text: "Closing", page: atMoment(closesAtMs - 3_000) });
  await look({ name: "locking", text: "Closing", page: atMoment(closesAtMs + 1_000) });
  await look({ name: "offline", text: "Reconnecting", page: withoutNetwork });
  await look({ name: "catching up", text: "Catching up with your delay", page: delayedPage(120, false) });
  await look({ name: "with a stream delay", text: title, page: delayedPage(5, true) });
}

/** Results that come while the next event is open already, and a refusal in a toast. */
async function tellWhileOpen(show: Show, look: Look): Promise<void> {
  const { host } = show;
  const announced = [
    { name: "won", result: true, words: /You called it/ },
    { name: "lost", result: false, words: /It went the other way: -/ },
    { name: "called off", result: "void", words: /Called off, \$5\.00 is back: / },
  ] as const;
  const before: EventView[] = [];
  for (const { name } of announced) {
    const event = await ask(show.host, show.session.id, `Will it be ${name}?`);
    await callAll(show.others, event, "false");
    await callAll(show.players, event, "true");
    await host("PUT", `/api/v1/events/${event.id}/advance`, { event: {} });
    before.push(event);
  }
  const open = await ask(show.host, show.session.id, "Will it go on and on?", { max_wager: 5 });
  for (const [index, { name, result, words }] of announced.entries()) {
    const event = before[index];
    if (event === undefined) throw new Error("Unreachable.");
    await decide(show, event, result, result === "void" ? "The camera fell over." : undefined);
    await look({ name: `announced in the result bar: ${name}`, text: words, page: withResultBar(words) });
  }
  await look({ name: "refused in a toast", text: "You can wager up to $5.00", page: withToast });
  await host("PUT", `/api/v1/events/${open.id}/skip`, { event: {} });
}

async function lose(show: Show, look: Look): Promise<void> {
  const event = await ask(show.host, show.session.id, "Will it stop?");
  await callAll(show.others, event, "true");
  await callAll(show.players, event, "false");
  await callAll(show.players, event, "true");
  await look({ name: "both sides called", text: /Placed \d/ });
  await callAll(show.players, event, "false");
  await decide(show, event, true, REASON);
  await look({ name: "lost, with a reason", text: "It went the other way" });
}

/** Events that give all wagers back to those who were right or wrong, one that is called off, and one that the players did not call. */
async function giveBack(show: Show, look: Look): Promise<void> {
  const right = await ask(show.host, show.session.id, "Will nobody else call?");
  await callAll(show.players, right, "true");
  await decide(show, right, true, REASON);
  await look({ name: "right, with a reason", text: rightUnopposed });
  const alone = await ask(show.host, show.session.id, "Will nobody call the other side?");
  await callAll(show.players, alone, "true");
  await decide(show, alone, false);
  await look({ name: "refunded", text: "Your wager is back" });
  const off = await ask(show.host, show.session.id, "Will it be called off?");
  // Not the amount of the question before.
  for (const side of ["true", "false"] as const) await callAll(show.players, off, side);
  await decide(show, off, "void", "The camera fell over.");
  await look({ name: "void", text: /^\$10\.00 back$/ });
  const missed = await ask(show.host, show.session.id, "Will you miss it?");
  await callAll(show.others, missed, "true");
  await decide(show, missed, true);
  await look({ name: "not called", text: "Resolved" });
}

/** The longest texts, and a win that few others saw, with its picture to share and a reason. */
async function writeLong(show: Show, look: Look): Promise<void> {
  const event = await ask(show.host, show.session.id, LONG_QUESTION, LONG_LABELS);
  await look({ name: "long", text: LONG_QUESTION });
  const { length } = show.players;
  // Three calls on the other side for each of the players', so that few were right.
  for (let calls = 0; calls < length * 3; calls += show.others.length)
    await callAll(show.others, event, "false");
  await callAll(show.players, event, "true");
  await look({ name: "long, called", text: /Placed \d/ });
  await decide(show, event, true, LONG_REASON);
  await look({ name: "long, won, as few others", text: /Only you and/ });
}

async function callAll(callers: readonly Api[], event: EventView, side: "true" | "false"): Promise<void> {
  await Promise.all(callers.map((caller) => callSide(caller, event, side)));
}
