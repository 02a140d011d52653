import type { Here } from "#client/ui/use-here.ts";
import { say, shorten } from "#src/http/contract.ts";
import { site } from "#src/settings/contract.ts";
import type { Env } from "#src/settings/env.ts";
import { PICTURE_SIZE } from "#src/shares/contract.ts";

const DESCRIPTION_LENGTH_MAX = 200;
const PREVIEW_PATH = "/api/v1/preview.png";

type Described = {
  here: Here;
  /** The path of the page, with what a link to it needs of its query. */
  path: string;
  status: number;
  /** The page's routes with what their loaders have returned, outermost first. */
  matches: readonly { loaderData: unknown }[];
};

/** What a link shows, as far as previews need it. */
type Shown = {
  title: string;
  description: string;
  imageUrl: string;
  /** What the picture shows, if that is neither title nor description. */
  alt?: string;
};

/**
 * The tags by which search engines and link previews describe a page: a description on all of them, and on public ones the
 * canonical address and the Open Graph tags. Shared links are for those who got them, so search engines leave them out.
 */
export function describePage(
  { publicUrl, frameOrigins }: Pick<Env, "publicUrl" | "frameOrigins">,
  { here, path, status, matches }: Described,
): string {
  const shown = sharedIn(matches.at(-1)?.loaderData);
  const description = shown?.description ?? descriptionOf(here);
  const url = `${publicUrl}${path}`;
  const isPublic = status === 200 && here.route !== undefined && publicPages.has(here.route);
  return [
    meta("name", "description", description),
    ...(shown === null ? [] : [meta("name", "robots", "noindex")]),
    ...(isPublic
      ? [
          canonical(url),
          ...previewTags(shown ?? previewOf(publicUrl, here, description), url),
          ...(frameOrigins.length === 0 ? [] : embedOf(publicUrl, here)),
        ]
      : []),
  ].join("\n");
}

/** The same of a page that the site has itself. */
export function describeOwnPage(
  publicUrl: string,
  { path, title, description }: { path: string; title: string; description: string },
): string {
  const url = `${publicUrl}${path}`;
  const preview = previewOf(publicUrl, { title, session: null }, description);
  return [
    meta("name", "description", description || title),
    canonical(url),
    ...previewTags(preview, url),
  ].join("\n");
}

function canonical(url: string): string {
  return `<link rel="canonical" href="${Bun.escapeHTML(url)}">`;
}

/** Where other sites learn how to have the card of a session in their pages. */
function embedOf(publicUrl: string, { route, session }: Here): string[] {
  if (route !== "/sessions/:slug" || session === null || session.settings.private) return [];
  const about = encodeURIComponent(`${publicUrl}/sessions/${session.slug}`);
  const href = Bun.escapeHTML(`${publicUrl}/oembed?url=${about}&format=json`);
  return [
    `<link rel="alternate" type="application/json+oembed" href="${href}" title="${Bun.escapeHTML(session.name)}">`,
  ];
}

/** A page as it is shown where people post its link. */
function previewTags({ title, description, imageUrl, alt }: Shown, url: string): string[] {
  return [
    siteTags(),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:url", url),
    meta("property", "og:image", imageUrl),
    pictureTags,
    meta("property", "og:image:alt", alt ?? say`${title}. ${description}`),
  ];
}

/** A page without a picture of its own, or with that of its session's brand. */
function previewOf(
  publicUrl: string,
  { title, session }: Pick<Here, "title" | "session">,
  description: string,
): Shown {
  if (session?.settings.brand === undefined)
    return {
      title,
      description,
      imageUrl: `${publicUrl}${PREVIEW_PATH}`,
      alt: say`${site().name}: say it before it happens.`,
    };
  return { title, description, imageUrl: `${publicUrl}/api/v1/sessions/${session.slug}/preview.png` };
}

function descriptionOf({ route = "", session }: Here): string {
  const written = session?.description.replaceAll(/\s+/g, " ").trim() ?? "";
  if (written !== "" && ofSession.has(route)) return shorten(written, DESCRIPTION_LENGTH_MAX);
  const text = (descriptions[route] ?? otherwise).replaceAll("{site}", () => say`${site().name}`);
  return session === null ? text : say`${session.name}. ${text}`;
}

function sharedIn(data: unknown): Shown | null {
  return hasShared(data) ? data.shared : null;
}

function hasShared(data: unknown): data is { shared: Shown } {
  return typeof data === "object" && data !== null && "shared" in data;
}

function meta(kind: "name" | "property", name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${Bun.escapeHTML(content)}">`;
}

/** What is the same on all public pages. */
const siteTags = () =>
  [
    meta("name", "twitter:card", "summary_large_image"),
    meta("property", "og:site_name", site().name),
    meta("property", "og:type", "website"),
  ].join("\n");

/** Of the picture, whose address comes right before. */
const pictureTags = [
  meta("property", "og:image:type", "image/png"),
  meta("property", "og:image:width", String(PICTURE_SIZE.width)),
  meta("property", "og:image:height", String(PICTURE_SIZE.height)),
].join("\n");

/**
 * What search engines and link previews say about each page, by the path of its route. They are no part of the browser's code,
 * which never needs them; `{site}` is the name of the site. A page of a session says what its host has written, if it is in `ofSession`.
 */
export const descriptions: Readonly<Record<string, string>> = {
  "/users/sign_in":
    "Call it before it happens: live questions with two sides, play money and a leaderboard. Sign in, or play at once as a guest.",
  "/join":
    "Have a code? Join the show of your host: type the code, choose a name, and call what happens next.",
  "/guest":
    "You are playing as a guest. Create an account to keep your calls, your rank and your play money.",
  "/users/guest_registration":
    "Create an account for {site}, the live prediction game with play money. It takes a username, an email and a password.",
  "/users/password": "Have a link sent by mail with which you choose a new password for {site}.",
  "/users/confirmation": "Confirm your email address for {site}, or have the mail with the link sent again.",
  "/users/unlock": "Unlock your account at {site} with a link sent by mail.",
  "/users/password/edit": "Choose a new password for your account at {site}.",
  "/users/sign_out":
    "Leave {site} on this device. As a guest you can create an account first and keep what you have won.",
  "/terms":
    "The terms of {site}: play money only, one account a person, the server's clock counts, and what is kept.",
  "/shared/:token": "A call on the record at {site}, the live prediction game with play money.",
  "/shares": "The links by which you show your calls and results, when they expire, and how to revoke them.",
  "/sessions": "The live session to join now, what is planned next, and the results of those that are over.",
  "/sessions/new": "Plan a new session: its name, when it starts, and how it runs.",
  "/sessions/:slug/edit": "Change a session's name, start and settings.",
  "/sessions/:slug":
    "A live session of timed questions with two sides. Make your call before time is up, and see at once who called it.",
  "/sessions/:slug/admin": "The control room of a session: what is on air, the run of show, and results.",
  "/sessions/:slug/remind":
    "Be reminded before a planned session starts: put it into your calendar, or get a message or a mail.",
  "/sessions/:slug/history": "All your calls in this session, with their receipts.",
  "/sessions/:slug/history/:callId":
    "The receipt of a call: when it was placed, the pool at the close, and how it was paid.",
  "/sessions/:slug/events/:eventId":
    "How a question was settled: its result, its pools, and what each call was paid.",
  "/sessions/:slug/join": "Join this session under the name that the leaders list shows.",
  "/sessions/:slug/leaders": "The leaders of this session: who has called the most, with net and streaks.",
  "/sessions/:slug/chat": "The chat beside this session.",
  "/sessions/:slug/live_chat": "The chat beside this session, for browsers without JavaScript.",
  "/sessions/:slug/replay":
    "A session second by second: its questions, pools and leaders as they were shown.",
  "/sessions/:slug/stage":
    "The big screen of a session: its question, clock, pool and result for a projector or a stream.",
  "/sessions/:slug/card": "The question of a session with its clock and pool, for a frame in another page.",
  "/sessions/:slug/dock": "A narrow page in which a show is run by a link alone.",
  "/blueprints": "The templates that sessions are made from.",
  "/blueprints/new": "Write a new template for sessions.",
  "/blueprints/:id": "A template for sessions: its questions on a timeline.",
  "/blueprints/:id/edit": "Change a template for sessions: its questions, their order and their pace.",
  "/blueprints/:id/dry_run":
    "A template played by simulated players before the show: its timeline, its payouts and its pace.",
  "/leaderboard": "The leaderboard of all sessions: wins, losses, net and streaks of every player.",
  "/leaderboard/:userId": "A player's record: events won and lost, net, accuracy and best streak.",
  "/seasons/:slug": "A season of {site}: its table while it runs, and its podium when it has ended.",
  "/profile": "Your profile at {site}: name, picture, balance and record.",
  "/profile/avatar": "Choose and crop your picture.",
  "/profile/details": "Change your username and your details.",
  "/profile/account": "Your email address, your password, and the browsers in which you are signed in.",
  "/profile/tokens": "The access tokens by which your programs read and run shows.",
  "/profile/wallet": "Your play money: balance, what is held by open calls, and every movement.",
  "/profile/wallet/payments": "What you have paid into your wallet, with refunds.",
  "/profile/wallet/spending": "Your limits for deposits, breaks, and what goes back to you.",
  "/profile/wallet/spending/statement":
    "What you have paid in, won and lost in a month, or in any other time.",
  "/checkout/:reference": "Pay for play money.",
  "/admin": "What runs behind the game: queues, timers, mails and the books.",
  "/admin/webhooks": "The programs that are sent what happens in sessions, and each message to them.",
  "/admin/seasons": "The seasons of the leaderboard: name one, change its dates, end it.",
  "/admin/books": "The checks of the ledger: every amount is booked twice and adds up.",
  "/admin/audit": "Who did what to which record: filters, and a file of all of it.",
  "/users": "All accounts, with search.",
  "/users/:id": "An account: its state, its roles and its wallet.",
};

/** For addresses without a page. */
const otherwise = "{site} is a live prediction game: timed questions with two sides, and play money.";

/** The pages whose description is the session's own, where its host has written one. */
const ofSession: ReadonlySet<string> = new Set(["/sessions/:slug", "/sessions/:slug/join"]);

/** The pages that signed-out visitors see, or that people send each other. Only they carry tags for previews. */
const publicPages: ReadonlySet<string> = new Set([
  "/join",
  "/users/sign_in",
  "/guest",
  "/users/guest_registration",
  "/terms",
  "/shared/:token",
  "/seasons/:slug",
  "/sessions",
  "/sessions/:slug",
  "/sessions/:slug/leaders",
  "/sessions/:slug/join",
  "/leaderboard",
]);
