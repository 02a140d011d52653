import type { blueprintEventsEndpoints, blueprintsEndpoints } from "#src/blueprints/endpoints.ts";
import type { booksEndpoints } from "#src/books/endpoints.ts";
import type { callsEndpoints } from "#src/calls/endpoints.ts";
import type { chatEndpoints } from "#src/chat/endpoints.ts";
import type { eventsEndpoints } from "#src/events/endpoints.ts";
import type { AnswerOf, Endpoint } from "#src/http/endpoint.ts";
import type { leaderboardEndpoints } from "#src/leaderboard/endpoints.ts";
import type { notificationsEndpoints } from "#src/notifications/endpoints.ts";
import type { paymentsEndpoints } from "#src/payments/endpoints.ts";
import type { profilesEndpoints } from "#src/profiles/endpoints.ts";
import type {
  sessionActionsEndpoints,
  sessionCrudEndpoints,
  sessionsEndpoints,
} from "#src/sessions/endpoints.ts";
import type { signInEndpoints } from "#src/sign-ins/endpoints.ts";
import type { storageEndpoints } from "#src/storage/endpoints.ts";
import type { accountEndpoints, registrationEndpoints } from "#src/users/endpoints.ts";
import type { recoveryEndpoints } from "#src/users/recovery-endpoints.ts";
import type { walletEndpoints } from "#src/wallet/endpoints.ts";

export type Method = Endpoint["method"];

type LinesOf<Table> = Table[keyof Table];
/** Every endpoint of the API, as the server itself knows it. */
type Line =
  | LinesOf<typeof accountEndpoints>
  | LinesOf<typeof blueprintEventsEndpoints>
  | LinesOf<typeof blueprintsEndpoints>
  | LinesOf<typeof booksEndpoints>
  | LinesOf<typeof callsEndpoints>
  | LinesOf<typeof chatEndpoints>
  | LinesOf<typeof eventsEndpoints>
  | LinesOf<typeof leaderboardEndpoints>
  | LinesOf<typeof notificationsEndpoints>
  | LinesOf<typeof paymentsEndpoints>
  | LinesOf<typeof profilesEndpoints>
  | LinesOf<typeof recoveryEndpoints>
  | LinesOf<typeof sessionActionsEndpoints>
  | LinesOf<typeof sessionCrudEndpoints>
  | LinesOf<typeof sessionsEndpoints>
  | LinesOf<typeof registrationEndpoints>
  | LinesOf<typeof signInEndpoints>
  | LinesOf<typeof storageEndpoints>
  | LinesOf<typeof walletEndpoints>;

/** "/users/:id" -> ["", "users", ":id"] */
type Parts<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? [Part, ...Parts<Rest>]
  : [Path];

/** True where the parts of a path are those of a pattern; what stands for `:id` may be anything. */
type Fits<Given extends string[], Pattern extends string[]> = Pattern extends [
  infer Wanted extends string,
  ...infer WantedRest extends string[],
]
  ? Given extends [infer Part extends string, ...infer Rest extends string[]]
    ? Wanted extends `:${string}`
      ? Fits<Rest, WantedRest>
      : Part extends Wanted
        ? Fits<Rest, WantedRest>
        : false
    : false
  : Given extends []
    ? true
    : false;

type Named<M extends Method, Path extends string> = Extract<Line, { method: M; path: Path }>;
type Matching<M extends Method, Given extends string[], L = Line> = L extends {
  method: M;
  path: infer Path extends string;
}
  ? Fits<Given, Parts<Path>> extends true
    ? L
    : never
  : never;

/** The endpoint that a path leads to; none for a path that is known too late, such as a plain string. */
type LineAt<M extends Method, Path extends string> = Path extends Line["path"]
  ? Named<M, Path>
  : string extends Path
    ? never
    : Matching<M, Parts<Path>>;

/** The path itself where it leads to an endpoint. */
export type Known<M extends Method, Path extends string> = [LineAt<M, Path>] extends [never]
  ? `no endpoint answers ${M} ${Path}`
  : Path;

type Decoded<Answer> = [Answer] extends [void] ? null : Answer;
/** What comes back from a path: `{ session: SessionView }`; null for 204. */
export type Answered<M extends Method, Path extends string> =
  LineAt<M, Path> extends infer L extends Endpoint ? Decoded<AnswerOf<L>> : never;
