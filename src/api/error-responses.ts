import type * as v from "valibot";
import type { Endpoint } from "#src/http/endpoint.ts";
import { type ErrorBody, pageQuery } from "#src/http/schemas.ts";

/** The refusals that follow from an endpoint's description, by the name of the OpenAPI response. */
export const errorResponses = {
  Malformed: {
    status: 400,
    when: "The body is not valid JSON, or its key is missing.",
    example: { error: "malformed request", code: "malformed", detail: "The body is not valid JSON." },
  },
  Unauthenticated: {
    status: 401,
    when: "The client is not signed in (`unauthenticated`), its sign-in has ended (`session_expired`), or its access token is not valid (`invalid_token`).",
    example: {
      error: "You need to sign in or sign up before continuing.",
      code: "unauthenticated",
    },
  },
  Forbidden: {
    status: 403,
    when: "The user is a guest and needs an account (`guest`), or lacks the role (`forbidden`). An access token does not open this (`outside_scope`).",
    example: { error: "forbidden", code: "forbidden" },
  },
  NotFound: {
    status: 404,
    when: "The resource does not exist, or belongs to another user.",
    example: { error: "not found", code: "not_found" },
  },
  Conflict: {
    status: 409,
    when: "Another request holds the resource or changed it first (`conflict`), or If-Match names another version (`stale_version`). Then `current` is the resource as it is now.",
    example: { error: "stale version", code: "stale_version", detail: "Somebody changed this meanwhile." },
  },
  SignedIn: {
    status: 409,
    when: "The client is already signed in.",
    example: { error: "You are already signed in.", code: "already_signed_in" },
  },
  TooLarge: {
    status: 413,
    when: "The request is too large.",
    example: { error: "The request is too large (at most 16 KB).", code: "too_large" },
  },
  NotJson: {
    status: 415,
    when: "The Content-Type is not JSON.",
    example: {
      error: "The body must be JSON (Content-Type: application/json).",
      code: "unsupported_media_type",
    },
  },
  Invalid: {
    status: 422,
    when: "A field of the request is invalid. `errors` has messages by field.",
    example: {
      error: "Validation failed: Wager must be greater than 0",
      code: "invalid",
      errors: { wager: ["must be greater than 0"] },
    },
  },
  Forged: {
    status: 422,
    when: "The anti-forgery token is missing, or belongs to another sign-in.",
    example: {
      error: "This page is out of date. Reload it and try again.",
      code: "invalid_authenticity_token",
    },
  },
  TooOften: {
    status: 429,
    when: "Too many requests. Retry-After says when to try again.",
    example: { error: "Too many attempts. Try again in a minute.", code: "rate_limited" },
  },
  Unavailable: {
    status: 503,
    when: "The server is temporarily unavailable. Retry-After says when to try again.",
    example: { error: "Called It is having trouble right now. Try again in a moment.", code: "unavailable" },
  },
} as const satisfies Record<string, { status: number; when: string; example: Omit<ErrorBody, "requestId"> }>;

export type ErrorName = keyof typeof errorResponses;

const signInOptional = new Set(["public", "anyone", "signed-out", "no-account"]);
const anySignedInUser = new Set(["viewer", "self", "own", "watcher", ...signInOptional]);

/** True for endpoints that change something and therefore need the anti-forgery token. */
export function needsCsrfToken({ route, who }: Endpoint): boolean {
  return !route.startsWith("GET ") && who !== "public";
}

/** The shared refusals that an endpoint's description implies. */
export function errorsOf(endpoint: Endpoint): ErrorName[] {
  const { who, body, query, paged, route, rate, limited, versioned } = endpoint;
  const isSignIn = who === "signed-out" || who === "no-account";
  const conditions: [ErrorName, boolean][] = [
    ["Malformed", body !== undefined],
    ["Unauthenticated", !signInOptional.has(who)],
    ["Forbidden", !anySignedInUser.has(who)],
    ["NotFound", route.includes(":")],
    ["SignedIn", isSignIn],
    ["Conflict", versioned === true],
    ["TooLarge", !route.startsWith("GET ")],
    ["NotJson", body !== undefined],
    ["Invalid", body !== undefined || query !== undefined || paged === true],
    ["Forged", needsCsrfToken(endpoint)],
    ["TooOften", rate !== undefined || limited === true],
    ["Unavailable", true],
  ];
  return conditions.flatMap(([name, holds]) => (holds ? [name] : []));
}

/** The refusals that an endpoint's description names. */
export function ownErrorsOf({ refusals = {} }: Endpoint): { code: string; status: number; when: string }[] {
  return Object.entries(refusals).map(([code, refusal]) =>
    typeof refusal === "string" ? { code, status: 422, when: refusal } : { code, ...refusal },
  );
}

/** The parameters of an endpoint's query, those of a page too. */
export function queryOf({ query = {}, paged }: Endpoint): v.ObjectEntries {
  return paged === true ? { ...query, ...pageQuery.entries } : query;
}
