import * as v from "valibot";
import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { createCsrfSecret, maskCsrfSecret } from "#src/http/csrf.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { startSignInCookie } from "#src/people/sign-ins/sign-in-cookie.ts";
import type { Server } from "#tests/support/server.ts";
import { only } from "./build.ts";

/** A response with its body: decoded JSON, text if it is not JSON, or null if it is empty. */
export type Answer = { status: number; body: unknown; headers: Headers };

/** A client, signed in or not, that sends JSON requests to the server in this process. */
export type TestClient = {
  get: (path: string) => Promise<Answer>;
  /** The body of what it gets, which must be of this form. */
  read: <Body extends v.GenericSchema>(path: string, body: Body) => Promise<v.InferOutput<Body>>;
  /** Sends a POST, PATCH, PUT or DELETE with the client's anti-forgery token. */
  send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** The cookies and the anti-forgery token of every request. */
  credentials: () => Record<string, string>;
};

const ORIGIN = "http://localhost:3000";
const DAY_MS = 86_400_000;

/** Signs a user in without a password. Returns the signed-in client. */
export async function signedInClient(deps: Deps, server: Server, user: { id: number }): Promise<TestClient> {
  const credentials = await signInDirectly(deps, user);
  return createClient(server, () => credentials);
}

/** Signs a user in without a password. Returns the headers that a browser would then send. */
export async function signInDirectly(
  deps: Pick<Deps, "env" | "pool">,
  user: { id: number },
): Promise<Record<string, string>> {
  const { cookie, csrfSecret } = await createSignIn(deps, user);
  return { cookie, [CSRF_HEADER]: maskCsrfSecret(csrfSecret) };
}

/** A sign-in of a user, and its cookie. */
export async function createSignIn(deps: Pick<Deps, "env" | "pool">, user: { id: number }) {
  const csrfSecret = createCsrfSecret();
  const expiresAt = new Date(Date.now() + DAY_MS);
  const { id: signInId } = only(
    await deps.pool.db
      .insert(signIns)
      .values({ userId: user.id, csrfSecret, expiresAt })
      .returning({ id: signIns.id }),
  );
  const context = createRequestContext(new Request(ORIGIN), "");
  await startSignInCookie(deps.env, context, { signInId, maxAgeSeconds: undefined });
  return { signInId, csrfSecret, cookie: context.cookies[0]?.split(";")[0] ?? "" };
}

/** A signed-out client. It sends one request to get its anti-forgery token. */
export async function signedOutClient(server: Server): Promise<TestClient> {
  const first = await server.handle(new Request(`${ORIGIN}/api/v1/sessions`));
  const cookie = first.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const token = first.headers.get(CSRF_HEADER) ?? "";
  return createClient(server, () => ({ cookie, [CSRF_HEADER]: token }));
}

/** A client that sends these headers with each request. */
export function createClient(
  server: Pick<Server, "handle">,
  credentials: () => Record<string, string>,
): TestClient {
  const request = async (
    path: string,
    headers: Record<string, string>,
    init: Omit<RequestInit, "headers"> = {},
  ) => {
    const all = { accept: "application/json", ...credentials(), ...headers };
    const response = await server.handle(new Request(`${ORIGIN}${path}`, { ...init, headers: all }));
    const text = await response.text();
    return { status: response.status, body: readBody(response, text), headers: response.headers };
  };
  return {
    credentials,
    get: (path) => request(path, {}),
    read: async (path, body) => v.parse(body, (await request(path, {})).body),
    send: (method, path, body, headers = {}) => {
      if (body === undefined) return request(path, { origin: ORIGIN, ...headers }, { method });
      const json = { origin: ORIGIN, "content-type": "application/json", ...headers };
      return request(path, json, { method, body: JSON.stringify(body) });
    },
  };
}

function readBody({ headers }: Response, text: string): unknown {
  if (text === "") return null;
  return headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text;
}
