import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { type ViewerView, viewerSchema } from "#src/people/sign-ins/schemas.ts";
import { type BuiltUser, buildPlayer } from "#tests/support/build.ts";
import { setRows } from "#tests/support/rows.ts";

/** Anything that answers requests: `createServer(deps)`, or a function that fetches from a port. */
export type RequestHandler = { handle: (request: Request) => Promise<Response> };

export const PASSWORD = "a password of the tests";
export const NEW_PASSWORD = "something quite new";
let hashed: Promise<string> | undefined;

/** Sets a user's password to PASSWORD. Its hash is checked in no time: a hash says itself how much work it is. */
export async function givePassword({ pool }: Pick<Deps, "pool">, userId: number): Promise<void> {
  hashed ??= Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  await setRows(pool.db, users, userId, { passwordHash: await hashed });
}

/** A player with the password of the tests. */
export async function buildMember(deps: Pick<Deps, "pool">, build = buildPlayer): Promise<BuiltUser> {
  const user = await build(deps);
  await givePassword(deps, user.id);
  return user;
}

/** A browser that has opened a page, and so has a token. */
export async function openBrowser(server: RequestHandler, origin?: string): Promise<Person> {
  const person = new Person(server, origin);
  await person.get("/api/v1/users/me");
  return person;
}

/** A user who has signed in with the password. @param user without one: a new player. */
export async function buildSignedIn(
  deps: Pick<Deps, "pool">,
  server: RequestHandler,
  user?: BuiltUser,
): Promise<{ user: BuiltUser; person: Person }> {
  const member = user ?? (await buildPlayer(deps));
  await givePassword(deps, member.id);
  const person = new Person(server);
  await person.signIn(member.email);
  return { user: member, person };
}

/** The user in the answer of a sign-in or a registration, and in that of the own profile. */
export async function userIn(response: Response): Promise<Omit<ViewerView, "hostOf">> {
  return v.parse(v.object({ user: v.omit(viewerSchema, ["hostOf"]) }), await response.json()).user;
}

/** A browser that signs in by email and password. It stores its cookies and the last anti-forgery token. */
export class Person {
  readonly cookies = new Map<string, string>();
  token = "";
  readonly #server: RequestHandler;
  readonly #origin: string;

  constructor(server: RequestHandler, origin = "http://localhost:3000") {
    this.#server = server;
    this.#origin = origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send("GET", path, { headers });
  }

  /** Sends JSON with the token of the last answer. The given headers override the default ones. */
  send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    return this.pass(
      new Request(this.#origin + path, {
        method,
        headers: {
          accept: "application/json",
          ...(text === undefined ? {} : { "content-type": "application/json" }),
          ...(this.token === "" ? {} : { [CSRF_HEADER]: this.token }),
          ...headers,
        },
        ...(text === undefined ? {} : { body: text }),
      }),
    );
  }

  /** Sends a request with this browser's cookies, and stores the cookies and the token of the answer. */
  async pass(request: Request): Promise<Response> {
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookies !== "") request.headers.set("cookie", cookies);
    const response = await this.#server.handle(request);
    for (const line of response.headers.getSetCookie()) this.#storeCookie(line);
    this.token = response.headers.get(CSRF_HEADER) ?? this.token;
    return response;
  }

  /** Opens the link of a mail and presses its button. */
  async press(link: string): Promise<Response> {
    if (this.token === "") await this.get(link);
    const [path = "", query = ""] = link.split("?");
    return this.send("PUT", path, { body: { user: Object.fromEntries(new URLSearchParams(query)) } });
  }

  /** Signs in, with a token from an earlier answer. */
  async signIn(email: string | null, password = PASSWORD): Promise<Response> {
    if (this.token === "") await this.get("/api/v1/users/me");
    return this.send("POST", "/users/sign_in", { body: { user: { email, password } } });
  }

  #storeCookie(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = pair.split("=");
    if (attributes.includes("Max-Age=0")) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
