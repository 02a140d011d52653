import type { Server } from "#tests/support/server.ts";
import type { Credentials } from "./read-page.ts";

/** These are new in every answer. */
const newHeaders = ["x-request-id", "x-csrf-token", "set-cookie"];

type ApiAnswer = { status: number; text: string; headers: Record<string, string> };

/** A read of a session over the API, and the same with an encoded letter in the name, which the endpoint queries. */
type Read = { path: string; encodedPath: string };

/** Reads of a session over the API. Some have to be answered by queries in both ways. */
export function readsOf(name: string): Read[] {
  const encodedPaths = pathsOf(encodeName(name));
  return pathsOf(name).map((path, index) => ({ path, encodedPath: encodedPaths[index] ?? "" }));
}

const pathsOf = (name: string) => [
  `/api/v1/sessions/${name}`,
  `/api/v1/sessions/${name}/events`,
  `/api/v1/sessions/${name}/events?per_page=100`,
  `/api/v1/sessions/${name}/events?perPage=1`,
  `/api/v1/sessions/${name}/events?per_page=2&page=2`,
  `/api/v1/scores/leaders?session_id=${name}`,
  `/api/v1/scores/leaders?limit=1&sessionId=${name}`,
  `/api/v1/scores/leaders?session_id=${name}&limit=100`,
];

function encodeName(name: string): string {
  return `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
}

/** An answer without what is new in every answer. */
export async function readApi(server: Server, path: string, credentials: Credentials): Promise<ApiAnswer> {
  const headers = { accept: "application/json", ...credentials };
  const response = await server.handle(new Request(`http://localhost:3000${path}`, { headers }));
  for (const name of newHeaders) response.headers.delete(name);
  const text = await response.text();
  return {
    status: response.status,
    text: text.replaceAll(/"(serverTime|requestId)":"[^"]*"/g, '"$1":""'),
    headers: Object.fromEntries(response.headers),
  };
}

/** The answer of the endpoint's own queries. */
export async function readByQueries(
  server: Server,
  { path, encodedPath }: Read,
  credentials: Credentials,
): Promise<ApiAnswer> {
  const answer = await readApi(server, encodedPath, credentials);
  const { link } = answer.headers;
  const [pathname = "", encodedPathname = ""] = [path, encodedPath].map((each) => each.split("?")[0]);
  if (link !== undefined) answer.headers["link"] = link.replaceAll(encodedPathname, pathname);
  return answer;
}
