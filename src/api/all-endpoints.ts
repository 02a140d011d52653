import { blueprintEventsEndpoints, blueprintsEndpoints } from "#src/blueprints/endpoints.ts";
import { booksEndpoints } from "#src/books/endpoints.ts";
import { callsEndpoints } from "#src/calls/endpoints.ts";
import { chatEndpoints } from "#src/chat/endpoints.ts";
import { eventsEndpoints } from "#src/events/endpoints.ts";
import type { Endpoint, Endpoints } from "#src/http/endpoint.ts";
import { leaderboardEndpoints } from "#src/leaderboard/endpoints.ts";
import { notificationsEndpoints } from "#src/notifications/endpoints.ts";
import { paymentsEndpoints } from "#src/payments/endpoints.ts";
import { profilesEndpoints } from "#src/profiles/endpoints.ts";
import { sessionActionsEndpoints, sessionCrudEndpoints, sessionsEndpoints } from "#src/sessions/endpoints.ts";
import { signInEndpoints } from "#src/sign-ins/endpoints.ts";
import { storageEndpoints } from "#src/storage/endpoints.ts";
import { accountEndpoints, registrationEndpoints } from "#src/users/endpoints.ts";
import { recoveryEndpoints } from "#src/users/recovery-endpoints.ts";
import { walletEndpoints } from "#src/wallet/endpoints.ts";

/** Endpoints that the reference lists together. */
export type Chapter = { title: string; about: string; endpoints: Endpoints };

/**
 * All endpoints of the API, in the order of the reference.
 *
 * An endpoint is a piece of data in its room's `endpoints.ts`: method, path, audience, body, query and answer. `routes.ts`
 * gives each one a handler (src/sign-ins/serve-endpoints.ts), and neither compiles without the other. The access matrix of
 * the tests, the client's types, /api/openapi.json and the page at /api are made from this list.
 */
export const chapters: readonly Chapter[] = [
  {
    title: "Signing in",
    about: "Signing in with an account or as a guest, and recovering access.",
    endpoints: { ...signInEndpoints, ...registrationEndpoints, ...recoveryEndpoints },
  },
  {
    title: "Account",
    about: "The user's own email address, password and sign-ins.",
    endpoints: accountEndpoints,
  },
  {
    title: "Users",
    about: "Profiles, and managing accounts.",
    endpoints: profilesEndpoints,
  },
  {
    title: "Sessions",
    about: "A show with its events, in playing order.",
    endpoints: { ...sessionsEndpoints, ...sessionCrudEndpoints, ...sessionActionsEndpoints },
  },
  {
    title: "Events",
    about: "A question with two sides, from draft to result.",
    endpoints: eventsEndpoints,
  },
  { title: "Calls", about: "Wagers of players on a side.", endpoints: callsEndpoints },
  { title: "Wallet", about: "Balances and transactions.", endpoints: walletEndpoints },
  { title: "Payments", about: "Deposits and refunds.", endpoints: paymentsEndpoints },
  { title: "Books", about: "Checks of the ledger.", endpoints: booksEndpoints },
  {
    title: "Scores",
    about: "Leaderboards, and excluding players from them.",
    endpoints: leaderboardEndpoints,
  },
  { title: "Chat", about: "Messages beside a session.", endpoints: chatEndpoints },
  { title: "Notifications", about: "Notifications to players.", endpoints: notificationsEndpoints },
  {
    title: "Blueprints",
    about: "Templates of sessions.",
    endpoints: { ...blueprintsEndpoints, ...blueprintEventsEndpoints },
  },
  { title: "Files", about: "Direct uploads, and pictures.", endpoints: storageEndpoints },
];

/** An endpoint with its name and chapter. */
export type NamedEndpoint = { name: string; chapter: string; endpoint: Endpoint };

export const allEndpoints: readonly NamedEndpoint[] = chapters.flatMap(({ title, endpoints }) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ name, chapter: title, endpoint })),
);
