import type { Method } from "#src/http/endpoint.ts";
import type { ErrorBody } from "#src/http/schemas.ts";
import type { AnswerAt, KnownPath } from "./answers.ts";

export type RequestOptions = {
  /** Keys in camelCase; null and undefined are omitted. */
  query?: Record<string, string | number | boolean | null | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Any JSON value; keys are sent in snake_case. */
  data?: unknown;
};

/** A GET has no body. */
type Bodiless<M extends Method> = M extends "GET" ? Omit<RequestOptions, "data"> : RequestOptions;

/** An answer outside 200-299. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly response: Response;
  /** The decoded body; null if it could not be decoded. */
  readonly body: ErrorBody | null;

  constructor(response: Response, body: ErrorBody | null) {
    super(body?.error ?? `The server answered ${response.status}.`);
    this.response = response;
    this.body = body;
  }

  get status(): number {
    return this.response.status;
  }

  /** When to try again, in seconds; 0 if the answer does not say. */
  get retryAfterS(): number {
    return Number(this.response.headers.get("retry-after")) || 0;
  }
}

/**
 * Carries a request to its endpoint and the answer back, keys in camelCase; null for 204. In the browser over HTTP
 * (over-http.ts), on the server by a call in the process (src/pages/ssr/in-process-api.ts). Both give the same answers.
 * @throws ApiError for an answer outside 200-299.
 */
export type Carrier = (method: string, path: string, options: RequestOptions) => Promise<unknown>;

export type ApiSettings = {
  /** True on the server, where requests stay in the process. */
  inProcess: boolean;
  carry: Carrier;
};

/**
 * The only access to the API, for loaders, actions and screens, on the server and in the browser. The type of an answer
 * follows from the method and the path, so the path's type must be a literal: a path in a variable needs `as const`.
 */
export type Api = ReturnType<typeof createApi>;

export function createApi({ inProcess, carry }: ApiSettings) {
  /** The server keeps to the endpoints' schemas, so the answer is not validated. */
  function request<T>(method: string, path: string, options?: RequestOptions): Promise<T>;
  function request(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
    return carry(method, path, options);
  }

  const withoutBody =
    <M extends Method>(method: M) =>
    <const P extends string>(path: P & KnownPath<M, P>, options?: Bodiless<M>) =>
      request<AnswerAt<M, P>>(method, path, options);
  const withBody =
    <M extends Method>(method: M) =>
    <const P extends string>(path: P & KnownPath<M, P>, data?: unknown, options?: RequestOptions) =>
      request<AnswerAt<M, P>>(method, path, { ...options, data });
  return {
    inProcess,
    request,
    get: withoutBody("GET"),
    post: withBody("POST"),
    patch: withBody("PATCH"),
    put: withBody("PUT"),
    delete: withoutBody("DELETE"),
  };
}

/** For `catch`: null for a refusal with this status. @throws every other error. */
export function nullAt(status: number): (error: unknown) => null {
  return (error) => {
    if (error instanceof ApiError && error.status === status) return null;
    throw error;
  };
}

/** The same API, whose requests end with `signal`. */
export function endingWith(signal: AbortSignal, api: Api): Api {
  return createApi({
    inProcess: api.inProcess,
    carry: (method, path, options) => api.request(method, path, { signal, ...options }),
  });
}
