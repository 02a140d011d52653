import { type Endpoint, partsOf } from "#src/http/endpoint.ts";
import type { Answer } from "#tests/support/client.ts";
import type { Server } from "#tests/support/server.ts";
import { addressOf, type Happy } from "./fixture.ts";

/** Parts to replace in a happy request: some headers, or the body as text. */
export type Changes = { headers?: Record<string, string>; text?: string };

const json = { "content-type": "application/json" };

/** Builds the HTTP request of a happy request. */
export function buildRequest(
  endpoint: Endpoint,
  happy: Happy,
  { headers = {}, text }: Changes = {},
): Request {
  const { method, path } = partsOf(endpoint);
  const { bytes = { body: text ?? JSON.stringify(happy.body), headers: json } } = happy;
  const hasBody = method !== "GET" && (happy.bytes ?? text ?? happy.body) !== undefined;
  const own = { accept: "application/json", ...happy.browser.credentials() };
  return new Request(`http://localhost:3000${addressOf(path, happy)}`, {
    method,
    headers: { ...own, ...(hasBody ? bytes.headers : {}), ...headers },
    ...(hasBody ? { body: bytes.body } : {}),
  });
}

/** Sends a request to the server in this process. The body of an answer that is not JSON is text. */
export async function sendRequest(server: Server, request: Request): Promise<Answer> {
  const response = await server.handle(request);
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.includes("json") === true && text !== "";
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status, headers, body };
}
