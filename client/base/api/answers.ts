import type { ApiEndpoint } from "#src/api/all-endpoints.ts";
import type { AnswerOf, Endpoint } from "#src/http/endpoint.ts";
import type { reactionsEndpoints } from "#src/live/reactions/endpoints.ts";
import type { paymentsEndpoints } from "#src/money/payments/endpoints.ts";
import type { walletEndpoints } from "#src/money/wallet/endpoints.ts";
import type { healthEndpoints } from "#src/operate/health/endpoints.ts";
import type { operationsEndpoints } from "#src/operate/operations/endpoints.ts";
import type { accessTokensEndpoints } from "#src/people/access-tokens/endpoints.ts";
import type { notificationsEndpoints } from "#src/people/notifications/endpoints.ts";
import type { passkeysEndpoints } from "#src/people/passkeys/endpoints.ts";
import type { pushEndpoints } from "#src/people/push/endpoints.ts";
import type { signInEndpoints } from "#src/people/sign-ins/endpoints.ts";
import type { storageEndpoints } from "#src/people/storage/endpoints.ts";
import type {
  accountEndpoints,
  recoveryEndpoints,
  registrationEndpoints,
} from "#src/people/users/endpoints.ts";
import type { callsEndpoints } from "#src/play/calls/endpoints.ts";
import type { chatEndpoints } from "#src/play/chat/endpoints.ts";
import type { leaderboardEndpoints } from "#src/play/leaderboard/endpoints.ts";
import type { seasonsEndpoints } from "#src/play/seasons/endpoints.ts";
import type { teamsEndpoints } from "#src/play/teams/endpoints.ts";
import type { profilesEndpoints } from "#src/profiles/endpoints.ts";
import type { replaysEndpoints } from "#src/replays/endpoints.ts";
import type { sharesEndpoints } from "#src/shares/endpoints.ts";
import type { blueprintEventsEndpoints, blueprintsEndpoints } from "#src/show/blueprints/endpoints.ts";
import type { planEndpoints } from "#src/show/blueprints/plan-endpoints.ts";
import type { eventsEndpoints } from "#src/show/events/endpoints.ts";
import type { frontDoorEndpoints } from "#src/show/front-door/endpoints.ts";
import type { hostingEndpoints } from "#src/show/hosting/endpoints.ts";
import type { joinCodesEndpoints } from "#src/show/join-codes/endpoints.ts";
import type { remindersEndpoints } from "#src/show/reminders/endpoints.ts";
import type { sessionHostsEndpoints } from "#src/show/session-hosts/endpoints.ts";
import type {
  sessionActionsEndpoints,
  sessionCrudEndpoints,
  sessionsEndpoints,
} from "#src/show/sessions/endpoints.ts";
import type { stageEndpoints } from "#src/show/stage/endpoints.ts";
import type { webhooksEndpoints } from "#src/webhooks/endpoints.ts";

export type Method = Endpoint["method"];

// The type of an answer follows from method and path at compile time, at no cost in the browser. The compiler refuses an unknown path.

/** "/users/:id" -> ["", "users", ":id"] */
type Parts<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? [Part, ...Parts<Rest>]
  : [Path];

/** True if the parts of a path match a pattern; a parameter such as `:id` matches any part. */
type MatchesParts<Given extends string[], Pattern extends string[]> = Pattern extends [
  infer Expected extends string,
  ...infer ExpectedRest extends string[],
]
  ? Given extends [infer Part extends string, ...infer Rest extends string[]]
    ? Expected extends `:${string}`
      ? MatchesParts<Rest, ExpectedRest>
      : Part extends Expected
        ? MatchesParts<Rest, ExpectedRest>
        : false
    : false
  : Given extends []
    ? true
    : false;

type EndpointNamed<M extends Method, Path extends string> = Extract<ApiEndpoint, { method: M; path: Path }>;
type EndpointMatching<M extends Method, Given extends string[], L = ApiEndpoint> = L extends {
  method: M;
  path: infer Path extends string;
}
  ? MatchesParts<Given, Parts<Path>> extends true
    ? L
    : never
  : never;

/** The endpoint that a path leads to; never for a path that is not known at compile time, such as a plain string. */
type EndpointAt<M extends Method, Path extends string> = Path extends ApiEndpoint["path"]
  ? EndpointNamed<M, Path>
  : string extends Path
    ? never
    : EndpointMatching<M, Parts<Path>>;

/** The path itself if it leads to an endpoint; otherwise the compiler's error message. */
export type KnownPath<M extends Method, Path extends string> = [EndpointAt<M, Path>] extends [never]
  ? `no endpoint answers ${M} ${Path}`
  : Path;

type Decoded<Answer> = [Answer] extends [void] ? null : Answer;
/** The answer of an endpoint. Example: `{ session: SessionView }`; null for 204. */
export type AnswerAt<M extends Method, Path extends string> =
  EndpointAt<M, Path> extends infer L extends Endpoint ? Decoded<AnswerOf<L>> : never;
