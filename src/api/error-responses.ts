import type { Endpoint, DocumentedRefusal } from "#src/http/endpoint.ts";
import type { ErrorBody } from "#src/http/schemas.ts";

/** One way in which an endpoint refuses. */
type ErrorResponse = { status: number; when: string; example: Omit<ErrorBody, "requestId"> };

/** What any endpoint may answer, by the name of the response. */
export const errorResponses = {
  Malformed: {
    status: 400,
    when: "The body is no JSON, or its key is missing.",
    example: { error: "malformed request", code: "malformed", detail: "The body is not valid JSON." },
  },
  Unauthenticated: {
    status: 401,
    when: "Nobody is signed in (`unauthenticated`), or the sign-in is over (`session_expired`).",
    example: {
      error: "You need to sign in or sign up before continuing.",
      code: "unauthenticated",
    },
  },
  Forbidden: {
    status: 403,
    when: "A guest where an account is needed (`guest`), or somebody without the role (`forbidden`).",
    example: { error: "forbidden", code: "forbidden" },
  },
  NotFound: {
    status: 404,
    when: "There is no such thing, or it is somebody else's.",
    example: { error: "not found", code: "not_found" },
  },
  Conflict: {
    status: 409,
    when: "Somebody else is at it, or was faster (`conflict`); or If-Match names another version (`stale_version`): then `current` is the thing as it is now.",
    example: { error: "stale version", code: "stale_version", detail: "Somebody changed this meanwhile." },
  },
  SignedIn: {
    status: 409,
    when: "Somebody is signed in already.",
    example: { error: "You are already signed in.", code: "already_signed_in" },
  },
  TooLarge: {
    status: 413,
    when: "The request is too large.",
    example: { error: "The request is too large (at most 1 MB).", code: "too_large" },
  },
  NotJson: {
    status: 415,
    when: "The body is said to be something else than JSON.",
    example: {
      error: "The body must be JSON (Content-Type: application/json).",
      code: "unsupported_media_type",
    },
  },
  Invalid: {
    status: 422,
    when: "Something in the request does not fit: `errors` has texts by field.",
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
    when: "That was too often; Retry-After says when to try again.",
    example: { error: "That was too often. Try again in a minute.", code: "rate_limited" },
  },
  Unavailable: {
    status: 503,
    when: "The server cannot serve right now; Retry-After says when to try again.",
    example: { error: "Called It is catching its breath. Try again in a moment.", code: "unavailable" },
  },
} as const satisfies Record<string, ErrorResponse>;

export type ErrorName = keyof typeof errorResponses;

const mayHaveNobody = new Set(["public", "anyone", "signed-out", "no-account"]);
const isForEverybodySignedIn = new Set(["viewer", "self", "own", "watcher", ...mayHaveNobody]);

/** True where an endpoint changes something, so that the anti-forgery token must come along. */
export function needsCsrfToken({ method, who }: Endpoint): boolean {
  return method !== "GET" && who !== "public";
}

/** The refusals that follow from an endpoint's line. */
export function errorsOf(endpoint: Endpoint): ErrorName[] {
  const { who, body, query, paged, path, rate, limited, versioned } = endpoint;
  const isSignIn = who === "signed-out" || who === "no-account";
  const asked: [ErrorName, boolean][] = [
    ["Malformed", body !== undefined],
    ["Unauthenticated", !mayHaveNobody.has(who)],
    ["Forbidden", !isForEverybodySignedIn.has(who)],
    ["NotFound", path.includes(":")],
    ["SignedIn", isSignIn],
    ["Conflict", versioned === true],
    ["TooLarge", endpoint.method !== "GET"],
    ["NotJson", body !== undefined],
    ["Invalid", body !== undefined || query !== undefined || paged === true],
    ["Forged", needsCsrfToken(endpoint)],
    ["TooOften", rate !== undefined || limited === true],
    ["Unavailable", true],
  ];
  return asked.flatMap(([name, holds]) => (holds ? [name] : []));
}

/** A told refusal with its status. */
export function refusalDetails(refusal: DocumentedRefusal): { status: number; when: string } {
  return typeof refusal === "string" ? { status: 422, when: refusal } : refusal;
}
