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

/** Endpoints that are told of together. */
export type Chapter = { title: string; about: string; endpoints: Endpoints };

/** All endpoints of the API, in the order in which they are told of. What is not here has no route. */
export const chapters: readonly Chapter[] = [
  {
    title: "Signing in",
    about: "With an account, as a guest, and the ways back in.",
    endpoints: { ...signInEndpoints, ...registrationEndpoints, ...recoveryEndpoints },
  },
  {
    title: "Account",
    about: "One's own address, password and sign-ins.",
    endpoints: accountEndpoints,
  },
  {
    title: "Users",
    about: "Profiles, and what admins do to accounts.",
    endpoints: profilesEndpoints,
  },
  {
    title: "Sessions",
    about: "A show with its events, in the order in which they are played.",
    endpoints: { ...sessionsEndpoints, ...sessionCrudEndpoints, ...sessionActionsEndpoints },
  },
  {
    title: "Events",
    about: "A question with two sides, from draft to result.",
    endpoints: eventsEndpoints,
  },
  { title: "Calls", about: "What players wager on a side.", endpoints: callsEndpoints },
  { title: "Wallet", about: "Balances, and all that moved them.", endpoints: walletEndpoints },
  { title: "Payments", about: "Paying in.", endpoints: paymentsEndpoints },
  { title: "Books", about: "Whether the books agree.", endpoints: booksEndpoints },
  { title: "Scores", about: "Who has won and lost how much.", endpoints: leaderboardEndpoints },
  { title: "Chat", about: "What is said beside a session.", endpoints: chatEndpoints },
  { title: "Notifications", about: "What players are told.", endpoints: notificationsEndpoints },
  {
    title: "Blueprints",
    about: "What sessions are made from.",
    endpoints: { ...blueprintsEndpoints, ...blueprintEventsEndpoints },
  },
  { title: "Files", about: "Direct uploads, and pictures.", endpoints: storageEndpoints },
];

/** One line of the whole table. */
export type NamedEndpoint = { name: string; chapter: string; endpoint: Endpoint };

export const allEndpoints: readonly NamedEndpoint[] = chapters.flatMap(({ title, endpoints }) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ name, chapter: title, endpoint })),
);

/** "GET /api/v1/calls/:id", as routes are known by. */
export function routeOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}
