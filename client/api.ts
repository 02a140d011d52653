import { CSRF_HEADER } from "#src/http/contract.ts";
import type { ErrorBody } from "#src/http/schemas.ts";
import type { Answered, Known } from "./answers.ts";
import { parseCamel, snakeKeys, snakeWord } from "./key-case.ts";
import type { Send } from "./reach.ts";

type Query = Record<string, string | number | boolean | null | undefined>;
export type RequestOptions = {
  /** Keys in camelCase; null and undefined are left out. */
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
  /** The decoded body; null where there was none to decode. */
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
  /** True on the server, where requests never leave the process. */
  inProcess: boolean;
  csrfToken: string;
  /** Takes the request to the server and brings its answer, whatever it is. */
  send: Send;
};

/**
 * The one way to the API, for loaders, actions and screens, on the server and in the browser. The type of an answer follows
 * from the method and the path, which must be known when it is written: a path that is made elsewhere says so by `as const`.
 */
export type Api = ReturnType<typeof createApi>;

export function createApi({ inProcess, send, csrfToken: firstToken }: ApiSettings) {
  let csrfToken = firstToken;

  async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    if ((method === "GET" || method === "HEAD") && options.data !== undefined) {
      throw new TypeError("Request with GET/HEAD method cannot have data.");
    }
    const response = await send(path + queryOf(options.query), initOf(method, options, csrfToken));
    csrfToken = response.headers.get(CSRF_HEADER) ?? csrfToken;
    if (!response.ok)
      throw new ApiError(response, await decode<ErrorBody | null>(response).catch(() => null));
    return decode<T>(response);
  }

  return {
    inProcess,
    request,
    get: <const P extends string>(path: P & Known<"GET", P>, options?: RequestOptions) =>
      request<Answered<"GET", P>>("GET", path, options),
    post: <const P extends string>(path: P & Known<"POST", P>, data?: unknown, options?: RequestOptions) =>
      request<Answered<"POST", P>>("POST", path, { ...options, data }),
    patch: <const P extends string>(path: P & Known<"PATCH", P>, data?: unknown, options?: RequestOptions) =>
      request<Answered<"PATCH", P>>("PATCH", path, { ...options, data }),
    put: <const P extends string>(path: P & Known<"PUT", P>, data?: unknown, options?: RequestOptions) =>
      request<Answered<"PUT", P>>("PUT", path, { ...options, data }),
    delete: <const P extends string>(path: P & Known<"DELETE", P>, options?: RequestOptions) =>
      request<Answered<"DELETE", P>>("DELETE", path, options),
  };
}

function initOf(method: string, options: RequestOptions, csrfToken: string): RequestInit {
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
    value === undefined || value === null ? [] : [[snakeWord(key), String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

/** Our own server is the other end and keeps to src/*\/contract.ts, so the shape is taken on trust. */
async function decode<T>(response: Response): Promise<T> {
  const text = await response.text();
  return parseCamel<T>(text === "" ? "null" : text);
}
