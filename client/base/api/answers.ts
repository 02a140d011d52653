import type { ApiEndpoint } from "#src/api/all-endpoints.ts";
import type { AnswerOf, Method } from "#src/http/endpoint.ts";

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

type EndpointNamed<M extends Method, Path extends string> = Extract<ApiEndpoint, { route: `${M} ${Path}` }>;
type EndpointMatching<M extends Method, Given extends string[], L = ApiEndpoint> = L extends {
  route: `${M} ${infer Path}`;
}
  ? MatchesParts<Given, Parts<Path>> extends true
    ? L
    : never
  : never;

/** The endpoint that a path leads to; never for a path that is not known at compile time, such as a plain string. */
type EndpointAt<M extends Method, Path extends string> = Path extends string
  ? `${M} ${Path}` extends ApiEndpoint["route"]
    ? EndpointNamed<M, Path>
    : string extends Path
      ? never
      : EndpointMatching<M, Parts<Path>>
  : never;

/** The path itself if it leads to an endpoint; otherwise the compiler's error message. */
export type KnownPath<M extends Method, Path extends string> = [EndpointAt<M, Path>] extends [never]
  ? `no endpoint answers ${M} ${Path}`
  : Path;

type Decoded<Answer> = [Answer] extends [void] ? null : Answer;
/** The answer of an endpoint. Example: `{ session: SessionView }`; null for 204. */
export type AnswerAt<M extends Method, Path extends string> =
  EndpointAt<M, Path> extends infer L extends { answer: unknown } ? Decoded<AnswerOf<L["answer"]>> : never;
