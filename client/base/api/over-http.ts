import { streamDelay } from "#client/base/api/stream-delay.ts";
import { CSRF_HEADER, snakeCase } from "#src/http/contract.ts";
import type { ErrorBody } from "#src/http/schemas.ts";
import { ApiError, type Carrier, type RequestOptions } from "./api.ts";
import { parseCamel, snakeKeys } from "./key-case.ts";
import type { Send } from "./request-with-retry.ts";

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
