import type * as v from "valibot";
import type { Schema } from "./check-input.ts";
import type { Rate } from "./rates.ts";
import type { BodyLimit } from "./read-body.ts";

/** Who may call an endpoint, with the texts for the API reference. */
export const audiences = {
  /** Answers do not depend on the caller, who is not even authenticated. */
  public: "Everyone, signed in or not.",
  anyone: "Everyone, signed in or not.",
  "signed-out": "Signed-out clients.",
  "no-account": "Signed-out clients and guests.",
  watcher: "Everyone while the session is live; otherwise signed-in users, including guests.",
  viewer: "Signed-in users, including guests.",
  self: "The user named in the path, including guests.",
  own: "The user named in the path, including guests; admins.",
  account: "Signed-in users with an account.",
  "own-account": "The user named in the path, with an account; admins.",
  host: "Admins, and the hosts of the session.",
  staff: "Admins and operators.",
  admin: "Admins.",
} as const;
export type Who = keyof typeof audiences;

/**
 * How a request names the session that it is about: the slug or id in the path (`id`), an event, message, decision or exclusion of it
 * in the path, or `session_id` in the query or in the body's resource.
 */
export type SessionOf = "id" | "event" | "message" | "decision" | "exclusion" | "query" | "body";

/** A refusal that clients may have to handle: when it happens, and its status if that is not 422. */
type DocumentedRefusal = string | { status: number; when: string };

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method and path, as the access lists of the tests name them: "PATCH /api/v1/events/:id". */
export type Route = `${Method} /${string}`;

/**
 * The specification of one endpoint. Its record has the handler too (src/people/sign-ins/serve-endpoints.ts). Keys are in camelCase;
 * requests may use snake_case instead.
 */
export type Endpoint = {
  /** The path has parameters like `:id`; `*` at the end matches anything. */
  route: Route;
  /** One sentence without the full stop. */
  summary: string;
  /** More sentences for the reference. */
  notes?: string;
  who: Who;
  /**
   * What opens it to a program's access token, where that does not follow from the method: a token opens reads, and no changes. `run`: a
   * token that may run a show. `none`: it is about people, their money or the product's secrets.
   */
  token?: "run" | "none";
  /** The dock of its `session` may call it, by its link alone. */
  dock?: true;
  /**
   * The session that it is about, for the audience `host`: a host of it is let in (src/people/sign-ins/require-host.ts). Without one
   * only admins are. A dock is let in to its own alone.
   */
  session?: SessionOf;
  /** The path parameters that are not row ids: slugs, references. */
  params?: Readonly<Record<string, "text">>;
  /** The schemas of the query's parameters. Other parameters are ignored. */
  query?: v.ObjectEntries;
  /** The answer is a page of a list; the query also takes `page` and `perPage`. */
  paged?: true;
  /** New rows come before all others, so a page is found by what has come since the first page. */
  newestFirst?: true;
  /** The schemas of the body's keys. A body without the first key is refused (400). */
  body?: v.ObjectEntries;
  /** How large the body may be, where the limit for all others is too small. */
  bodyMax?: BodyLimit;
  /** A missing body and `{}` count as an empty resource. */
  bodyOptional?: true;
  /** The schema of the answer. Without it the answer is 204. "file": the handler returns a Response. */
  answer?: Schema | "file" | undefined;
  /** The answer is 201, and it takes an Idempotency-Key: a repeated request with the same key changes nothing. */
  creates?: true;
  /** The status when nothing had to be done, because it was done before. */
  repeatedStatus?: 200;
  /**
   * What the handler does judges the sign-in of its caller too, so the sign-in need not be looked up before. Until then the
   * viewer is assumed (src/people/sign-ins/optimistic-sign-in.ts): only their id is certain.
   */
  judgesSignIn?: true;
  /**
   * What of a session is read together with the sign-in of the caller, in one statement for all callers of the moment
   * (src/pages/page-read), and by which parameter of the path or the query the session is named. The handler queries what was not read.
   */
  reads?: { part: "session" | "events" | "leaders"; by: "id" | "sessionId" };
  /** The same for every caller, such as a file: nobody is authenticated, and the request is not logged. */
  skipsSignIn?: true;
  /**
   * The handler reads the body itself: a file, or a message whose signature covers its bytes. Each proves where it comes from, so it
   * needs no anti-forgery token.
   */
  raw?: "file" | "message";
  /** Closed where OIDC_ONLY is on: accounts sign in at the provider alone. */
  byPassword?: true;
  rate?: Rate;
  /** The handler checks a rate limit itself, because it needs more than the account, such as an email. */
  limited?: true;
  /** Takes an Idempotency-Key too, and makes nothing. */
  idempotent?: true;
  /** Takes If-Match with the version that the client read. If the version has changed, nothing else does (409). */
  versioned?: true;
  /** The answer has an ETag, and a matching If-None-Match gets 304. */
  etag?: true;
  refusals?: Readonly<Record<string, DocumentedRefusal>>;
};

export function partsOf({ route }: Pick<Endpoint, "route">): { method: string; path: string } {
  const [method = "", path = ""] = route.split(" ");
  return { method, path };
}

export const isIdempotent = ({ creates, idempotent }: Endpoint) => creates === true || idempotent === true;

/** The status of an answer that is no refusal. */
export function statusOf({ creates, answer }: Endpoint): number {
  if (creates === true) return 201;
  return answer === undefined ? 204 : 200;
}

export type OutputOf<Entries> = Entries extends v.ObjectEntries
  ? v.InferOutput<v.ObjectSchema<Entries, undefined>>
  : Record<never, never>;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The type of a route's path parameters: numbers, except those that are listed as texts. */
export type ParamsOf<R extends Route, Texts> = {
  [Name in NamesIn<R>]: Texts extends Record<Name, "text"> ? string : number;
};

export type AnswerOf<Answer> = Answer extends Schema
  ? v.InferOutput<Answer>
  : Answer extends "file"
    ? Response
    : void;
