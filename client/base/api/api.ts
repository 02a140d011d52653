import type { ErrorBody } from "#src/http/schemas.ts";
import type { AnswerAt, KnownPath } from "./answers.ts";

type Query = Record<string, string | number | boolean | null | undefined>;
export type RequestOptions = {
  /** Keys in camelCase; null and undefined are omitted. */
  query?: Query;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Any JSON value; keys are sent in snake_case. */
  data?: unknown;
};

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
  async function request(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
    if ((method === "GET" || method === "HEAD") && options.data !== undefined) {
      throw new TypeError("Request with GET/HEAD method cannot have data.");
    }
    return carry(method, path, options);
  }

  return {
    inProcess,
    request,
    get: <const P extends string>(path: P & KnownPath<"GET", P>, options?: RequestOptions) =>
      request<AnswerAt<"GET", P>>("GET", path, options),
    post: <const P extends string>(
      path: P & KnownPath<"POST", P>,
      data?: unknown,
      options?: RequestOptions,
    ) => request<AnswerAt<"POST", P>>("POST", path, { ...options, data }),
    patch: <const P extends string>(
      path: P & KnownPath<"PATCH", P>,
      data?: unknown,
      options?: RequestOptions,
    ) => request<AnswerAt<"PATCH", P>>("PATCH", path, { ...options, data }),
    put: <const P extends string>(path: P & KnownPath<"PUT", P>, data?: unknown, options?: RequestOptions) =>
      request<AnswerAt<"PUT", P>>("PUT", path, { ...options, data }),
    delete: <const P extends string>(path: P & KnownPath<"DELETE", P>, options?: RequestOptions) =>
      request<AnswerAt<"DELETE", P>>("DELETE", path, options),
  };
}
