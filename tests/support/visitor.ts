import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { createCsrfSecret, maskCsrfSecret } from "#src/http/csrf.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import type { Server } from "#src/server.ts";
import { startSignInCookie } from "#src/sign-ins/sign-in-cookie.ts";
import { only } from "./build.ts";

/** An answer with its body read: decoded JSON, text where it is none, or null where there is no body. */
export type Answer = { status: number; body: unknown; headers: Headers };

/** Somebody at a browser, signed in or not, who talks JSON to the server in this process. */
export type Visitor = {
  get: (path: string) => Promise<Answer>;
  /** POST, PATCH, PUT or DELETE, with the visitor's anti-forgery token. */
  send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** The cookies and the anti-forgery token that go with every request. */
  credentials: () => Record<string, string>;
};

const ORIGIN = "http://localhost:3000";
const DAY_MS = 86_400_000;

/** Signs a user in, without a password, and answers the browser that is signed in. */
export async function visitAs(deps: Deps, server: Server, user: { id: number }): Promise<Visitor> {
  const credentials = await signInDirectly(deps, user);
  return visitor(server, () => credentials);
}

/** Signs a user in, without a password. Answers the headers that a browser would send from then on. */
export async function signInDirectly(
  deps: Pick<Deps, "env" | "pool">,
  user: { id: number },
): Promise<Record<string, string>> {
  const csrfSecret = createCsrfSecret();
  const expiresAt = new Date(Date.now() + DAY_MS);
  const { id: signInId } = only(
    await deps.pool.db
      .insert(signIns)
      .values({ userId: user.id, csrfSecret, expiresAt })
      .returning({ id: signIns.id }),
  );
  const exchange = createRequestContext(new Request(ORIGIN), "");
  await startSignInCookie(deps.env, exchange, { signInId, maxAgeSeconds: undefined });
  const cookie = exchange.cookies[0]?.split(";")[0] ?? "";
  return { cookie, [CSRF_HEADER]: maskCsrfSecret(csrfSecret) };
}

/** A browser that nobody is signed in at. It asks for a page once, for its anti-forgery token. */
export async function visitSignedOut(server: Server): Promise<Visitor> {
  const first = await server.handle(new Request(`${ORIGIN}/api/v1/sessions`));
  const cookie = first.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const token = first.headers.get(CSRF_HEADER) ?? "";
  return visitor(server, () => ({ cookie, [CSRF_HEADER]: token }));
}

function visitor(server: Server, credentials: () => Record<string, string>): Visitor {
  const ask = async (
    path: string,
    headers: Record<string, string>,
    init: Omit<RequestInit, "headers"> = {},
  ) => {
    const all = { accept: "application/json", ...credentials(), ...headers };
    const response = await server.handle(new Request(`${ORIGIN}${path}`, { ...init, headers: all }));
    const text = await response.text();
    return { status: response.status, body: read(response, text), headers: response.headers };
  };
  return {
    credentials,
    get: (path) => ask(path, {}),
    send: (method, path, body, headers = {}) => {
      if (body === undefined) return ask(path, { origin: ORIGIN, ...headers }, { method });
      const json = { origin: ORIGIN, "content-type": "application/json", ...headers };
      return ask(path, json, { method, body: JSON.stringify(body) });
    },
  };
}

function read({ headers }: Response, text: string): unknown {
  if (text === "") return null;
  return headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text;
}
