import { CSRF_HEADER, snakeCase } from "#src/http/contract.ts";
import type { ErrorBody } from "#src/http/schemas.ts";
import { type Api, ApiError, type Carrier, createApi, type RequestOptions } from "./api.ts";
import { parseCamel, snakeKeys } from "./key-case.ts";
import { carryAhead, carryPrefetched } from "./prefetch.ts";
import { requestWithRetry, type Send } from "./request-with-retry.ts";
import { streamDelay } from "./stream-delay.ts";

type Connection = {
  /** The page's anti-forgery token. Each answer brings a newer one. */
  csrfToken: string;
  /** Sends the request to the server and returns its response, whatever the status. */
  send: Send;
};

/** Carries requests to the API as JSON over HTTP. */
export function overHttp({ csrfToken, send }: Connection): Carrier {
  let token = csrfToken;
  return async (method, path, options) => {
    const response = await send(path + queryOf(options.query), requestInitOf(method, options, token));
    token = response.headers.get(CSRF_HEADER) ?? token;
    if (response.ok) {
      const answer = await decode(response);
      streamDelay.arrived(answer, response.headers);
      return answer;
    }
    throw new ApiError(response, await decode<ErrorBody | null>(response).catch(() => null));
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

function queryOf(query: RequestOptions["query"] = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[snakeCase(key), String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

async function decode<T>(response: Response): Promise<T> {
  const text = await response.text();
  return parseCamel<T>(text === "" ? "null" : text);
}

/**
 * The API client of the browser, and a second one that sends the requests of the next page ahead. It bypasses the HTTP cache:
 * answers contain the server's time, to which pages set their clocks, so a cached answer would be wrong.
 */
export function createBrowserApi(csrfToken: string): { api: Api; apiAhead: Api } {
  const carry = overHttp({
    csrfToken,
    send: (path, init) => requestWithRetry(fetch, path, { ...init, cache: "no-store" }),
  });
  return {
    api: createApi({ inProcess: false, carry: carryPrefetched(carry) }),
    apiAhead: createApi({ inProcess: false, carry: carryAhead(carry) }),
  };
}
