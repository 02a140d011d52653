import { formatMoney } from "#client/base/format/money.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { readWallet } from "#tests/support/books.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildSession,
  readSpots,
} from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import type { BenchDeps } from "./bench-deps.ts";

const VIEWERS = 200;
const PLAYERS = 40;
/** Of the ten events, five are published: four resolved ones and an open one. */
const PLANNED_EVENTS = 5;
const RESOLVED_EVENTS = 4;
/** One of so many viewers has a call on the open event. */
const OPEN_CALL_EVERY = 3;
const BALANCE_CENTS = 100_000;
/** Each viewer has another balance. */
const BALANCE_STEP_CENTS = 101;

/** What Chromium sends when a person opens a page, except for cookies and what the client adds. */
const BROWSER_HEADERS = {
  connection: "keep-alive",
  "upgrade-insecure-requests": "1",
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  accept:
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-user": "?1",
  "sec-fetch-dest": "document",
  "accept-language": "en-US,en;q=0.9",
};

/** A signed-in user, and what each of the user's pages shows. */
export type ShowViewer = {
  id: number;
  username: string;
  headers: Record<string, string>;
  /** The cookie and the anti-forgery token. */
  credentials: Record<string, string>;
  /** The name and the available balance, as pages show them. */
  shows: string[];
};

/** A running show. The balances of its viewers do not change. */
export type Show = {
  session: SessionRow;
  /** The event that takes calls, and its spots. */
  open: EventRow;
  spotIds: number[];
  viewers: ShowViewer[];
  admin: ShowViewer;
};

/**
 * Builds a running session with ten events. Five of them are published: four are resolved and paid, so there are leaders, and
 * one is open for half an hour. 40 players have calls on all of them, half of the 200 viewers on the resolved ones, and a
 * third of the viewers on the open one.
 */
export async function buildShow(deps: BenchDeps): Promise<Show> {
  const session = await buildSession(deps);
  const viewers = await Promise.all(
    Array.from({ length: VIEWERS }, (_, index) =>
      buildPlayer(deps, { balanceCents: BALANCE_CENTS + index * BALANCE_STEP_CENTS }),
    ),
  );
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => buildPlayer(deps)));
  const plan = { sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 } as const;
  for (let event = 0; event < PLANNED_EVENTS; event += 1) await buildEvent(deps, "draft", plan);
  const running = await startSession(deps, { sessionId: session.id, actor: null });
  const half = [...players, ...viewers.filter((_, index) => index % 2 === 0)];
  for (let number = 0; number < RESOLVED_EVENTS; number += 1) {
    const event = await buildEvent(deps, "open", { sessionId: session.id });
    await callAll(deps, event, half);
    await closeEvent(deps, { eventId: event.id, actor: null });
    const result = number % 2 === 0 ? "true" : "false";
    await resolveAndPay(deps, { eventId: event.id, actor: null, result });
  }
  const open = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 1_800 });
  await callAll(deps, open, [...players, ...viewers.filter((_, index) => index % OPEN_CALL_EVERY === 0)]);
  const spotIds = Object.values(await readSpots(deps, open.id)).map(({ id }) => id);
  return {
    session: running,
    open,
    spotIds,
    viewers: await Promise.all(viewers.map((viewer) => signIn(deps, viewer))),
    admin: await signIn(deps, await buildAdmin(deps)),
  };
}

/** The viewers who have no call on the open event. */
export function viewersWithoutCall({ viewers }: Show): ShowViewer[] {
  return viewers.filter((_, index) => index % OPEN_CALL_EVERY !== 0);
}

/** Two of three call True. The wagers differ, so that the leaders do. */
async function callAll(deps: BenchDeps, event: EventRow, users: readonly { id: number }[]): Promise<void> {
  for (const [index, { id: userId }] of users.entries()) {
    const side = (index + event.id) % 3 === 0 ? "false" : "true";
    await buildCall(deps, { userId, eventId: event.id, side, wagerCents: 50 + (userId % 50) });
  }
}

/** Signs a user in as a browser does. */
async function signIn(
  deps: BenchDeps,
  { id, username }: { id: number; username: string },
): Promise<ShowViewer> {
  const { availableCents } = await readWallet(deps.pool.db, id);
  const credentials = await signInDirectly(deps, { id });
  const { cookie = "" } = credentials;
  return {
    id,
    username,
    credentials,
    headers: { ...BROWSER_HEADERS, cookie },
    shows: [username, formatMoney(availableCents)],
  };
}
