import { CSRF_HEADER, snakeCase } from "#src/http/contract.ts";
import type { ErrorBody } from "#src/http/schemas.ts";
import type { AnswerAt, KnownPath } from "./answers.ts";
import { parseCamel, snakeKeys } from "./key-case.ts";
import type { Send } from "./request-with-retry.ts";

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
}

export type ApiSettings = {
  /** True on the server, where requests stay in the process. */
  inProcess: boolean;
  csrfToken: string;
  /** Sends the request to the server and returns its response, whatever the status. */
  send: Send;
};

/**
 * The only access to the API, for loaders, actions and screens, on the server and in the browser. The type of an answer
 * follows from the method and the path, so the path's type must be a literal: a path in a variable needs `as const`.
 */
export type Api = ReturnType<typeof createApi>;

export function createApi({ inProcess, send, csrfToken: firstToken }: ApiSettings) {
  let csrfToken = firstToken;

  async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    if ((method === "GET" || method === "HEAD") && options.data !== undefined) {
      throw new TypeError("Request with GET/HEAD method cannot have data.");
    }
    const response = await send(path + queryOf(options.query), requestInitOf(method, options, csrfToken));
    csrfToken = response.headers.get(CSRF_HEADER) ?? csrfToken;
    if (!response.ok)
      throw new ApiError(response, await decode<ErrorBody | null>(response).catch(() => null));
    return decode<T>(response);
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

function requestInitOf(method: string, options: RequestOptions, csrfToken: string): RequestInit {
  return {
    method,
    credentials: "include",
    headers: {
      accept: "application/json",
      [CSRF_HEADER]: csrfToken,
      ...(options.data === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(options.data === undefined ? {} : { body: JSON.stringify(snakeKeys(options.data)) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

function queryOf(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[snakeCase(key), String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

/** The server keeps to the endpoints' schemas, so the browser does not validate the answer. */
async function decode<T>(response: Response): Promise<T> {
  const text = await response.text();
  return parseCamel<T>(text === "" ? "null" : text);
}
