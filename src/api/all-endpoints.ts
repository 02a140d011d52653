import { booksEndpoints } from "#src/books/endpoints.ts";
import { dryRunsEndpoints } from "#src/dry-runs/endpoints.ts";
import { reactionsEndpoints } from "#src/live/reactions/endpoints.ts";
import { paymentsEndpoints } from "#src/money/payments/endpoints.ts";
import { spendingEndpoints } from "#src/money/spending/endpoints.ts";
import { walletEndpoints } from "#src/money/wallet/endpoints.ts";
import { siteAuditEndpoints } from "#src/operate/audit/endpoints.ts";
import { healthEndpoints } from "#src/operate/health/endpoints.ts";
import { operationsEndpoints } from "#src/operate/operations/endpoints.ts";
import { switchesEndpoints } from "#src/operate/switches/endpoints.ts";
import { accessTokensEndpoints } from "#src/people/access-tokens/endpoints.ts";
import { invitationsEndpoints } from "#src/people/invitations/endpoints.ts";
import { notificationsEndpoints } from "#src/people/notifications/endpoints.ts";
import { passkeysEndpoints } from "#src/people/passkeys/endpoints.ts";
import { facesEndpoints } from "#src/people/pictures/endpoints.ts";
import { pushEndpoints } from "#src/people/push/endpoints.ts";
import { signInEndpoints } from "#src/people/sign-ins/endpoints.ts";
import type { ServedEndpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { storageEndpoints } from "#src/people/storage/endpoints.ts";
import { accountEndpoints, recoveryEndpoints, registrationEndpoints } from "#src/people/users/endpoints.ts";
import { callsEndpoints } from "#src/play/calls/endpoints.ts";
import { chatEndpoints } from "#src/play/chat/endpoints.ts";
import { leaderboardEndpoints } from "#src/play/leaderboard/endpoints.ts";
import { seasonsEndpoints } from "#src/play/seasons/endpoints.ts";
import { teamsEndpoints } from "#src/play/teams/endpoints.ts";
import { profilesEndpoints } from "#src/profiles/endpoints.ts";
import { replaysEndpoints } from "#src/replays/endpoints.ts";
import { sharesEndpoints } from "#src/shares/endpoints.ts";
import { blueprintEventsEndpoints, blueprintsEndpoints } from "#src/show/blueprints/endpoints.ts";
import { planEndpoints } from "#src/show/blueprints/plan-endpoints.ts";
import { brandsEndpoints } from "#src/show/brands/endpoints.ts";
import { docksEndpoints } from "#src/show/docks/endpoints.ts";
import { embedsEndpoints } from "#src/show/embeds/endpoints.ts";
import { eventsEndpoints } from "#src/show/events/endpoints.ts";
import { frontDoorEndpoints } from "#src/show/front-door/endpoints.ts";
import { hostingEndpoints } from "#src/show/hosting/endpoints.ts";
import { joinCodesEndpoints } from "#src/show/join-codes/endpoints.ts";
import { remindersEndpoints } from "#src/show/reminders/endpoints.ts";
import { resultsSheetEndpoints } from "#src/show/results-sheet/endpoints.ts";
import { sessionHostsEndpoints } from "#src/show/session-hosts/endpoints.ts";
import {
  sessionActionsEndpoints,
  sessionCrudEndpoints,
  sessionsEndpoints,
} from "#src/show/sessions/endpoints.ts";
import { stageEndpoints } from "#src/show/stage/endpoints.ts";
import { webhooksEndpoints } from "#src/webhooks/endpoints.ts";

/** Endpoints that the reference lists together, by name. The names are its operation ids. */
export type Chapter = { title: string; about: string; endpoints: Readonly<Record<string, ServedEndpoint>> };

/**
 * All endpoints of the API, in the order of the reference.
 *
 * An endpoint is a record in its room's `endpoints.ts`: method, path, audience, body, query, answer, and the handler, which compiles only
 * if it fits them. The server's routes, the access matrix of the tests, the client's types, /api/openapi.json and the page at /api are
 * made from this list.
 */
const listed = [
  {
    title: "Signing in",
    about: "Signing in with an account or as a guest, and recovering access.",
    endpoints: { ...signInEndpoints, ...registrationEndpoints, ...recoveryEndpoints },
  },
  {
    title: "Account",
    about: "The user's own email address, password, passkeys, access tokens and sign-ins.",
    endpoints: { ...accountEndpoints, ...passkeysEndpoints, ...accessTokensEndpoints },
  },
  {
    title: "Users",
    about: "Profiles, and managing accounts.",
    endpoints: profilesEndpoints,
  },
  {
    title: "Sessions",
    about: "A show with its events, in playing order.",
    endpoints: {
      ...sessionsEndpoints,
      ...sessionCrudEndpoints,
      ...sessionActionsEndpoints,
      ...stageEndpoints,
      ...docksEndpoints,
      ...embedsEndpoints,
      ...frontDoorEndpoints,
      ...joinCodesEndpoints,
      ...sessionHostsEndpoints,
      ...remindersEndpoints,
      ...resultsSheetEndpoints,
      ...healthEndpoints,
    },
  },
  {
    title: "Events",
    about: "A question with two sides, from draft to result.",
    endpoints: eventsEndpoints,
  },
  { title: "Calls", about: "Wagers of players on a side.", endpoints: callsEndpoints },
  { title: "Wallet", about: "Balances and transactions.", endpoints: walletEndpoints },
  { title: "Payments", about: "Deposits and refunds.", endpoints: paymentsEndpoints },
  {
    title: "Fair spending",
    about: "Limits for deposits, breaks, and what was paid in, won and lost. Only where payments are on.",
    endpoints: spendingEndpoints,
  },
  { title: "Books", about: "Checks of the ledger.", endpoints: booksEndpoints },
  { title: "Operations", about: "What runs behind the game.", endpoints: operationsEndpoints },
  { title: "Audit", about: "Who did what on the whole site.", endpoints: siteAuditEndpoints },
  {
    title: "The site",
    about: "What admins turn off for the whole site, and who may create an account.",
    endpoints: { ...switchesEndpoints, ...invitationsEndpoints },
  },
  {
    title: "Scores",
    about: "Leaderboards, excluding players from them, and seasons.",
    endpoints: { ...leaderboardEndpoints, ...seasonsEndpoints },
  },
  { title: "Teams", about: "The teams of a session, and who is in which.", endpoints: teamsEndpoints },
  { title: "Chat", about: "Messages beside a session.", endpoints: chatEndpoints },
  { title: "Hosts", about: "Who runs a session at this moment.", endpoints: hostingEndpoints },
  { title: "Reactions", about: "Reactions of players while they play.", endpoints: reactionsEndpoints },
  {
    title: "Shared links",
    about: "Links by which players show a call, a result or their session.",
    endpoints: sharesEndpoints,
  },
  {
    title: "Replays",
    about: "What a session showed at each moment, and whether it was paid by the formula.",
    endpoints: replaysEndpoints,
  },
  { title: "Notifications", about: "Notifications to players.", endpoints: notificationsEndpoints },
  {
    title: "Push subscriptions",
    about: "Browsers that show a player's messages while no page is open.",
    endpoints: pushEndpoints,
  },
  {
    title: "Blueprints",
    about: "Templates of sessions.",
    endpoints: { ...blueprintsEndpoints, ...blueprintEventsEndpoints, ...planEndpoints },
  },
  {
    title: "Dry runs",
    about: "A blueprint played by simulated players, apart from everything real.",
    endpoints: dryRunsEndpoints,
  },
  {
    title: "Webhooks",
    about: "Addresses of other programs that receive what happens to events and sessions.",
    endpoints: webhooksEndpoints,
  },
  {
    title: "Files",
    about: "Direct uploads, and pictures.",
    endpoints: { ...storageEndpoints, ...facesEndpoints, ...brandsEndpoints },
  },
] satisfies readonly Chapter[];

export const chapters: readonly Chapter[] = listed;

type EndpointsIn<Table> = Table extends Table ? Table[keyof Table] : never;
/** Any of them, with its own types: the type of an answer follows from method and path. */
export type ApiEndpoint = EndpointsIn<(typeof listed)[number]["endpoints"]>;

export type NamedEndpoint = { name: string; chapter: string; endpoint: ServedEndpoint };

export const allEndpoints: readonly NamedEndpoint[] = chapters.flatMap(({ title, endpoints }) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ name, chapter: title, endpoint })),
);
