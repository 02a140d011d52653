import type { Deps } from "#src/base/deps.ts";
import { type RequestHandler, givePassword, Person } from "#tests/people/users/person.ts";

const ORIGIN = "http://localhost:3000";

/** A response to a page request without JavaScript. */
export type Page = { status: number; html: string; location: string | null; headers: Headers };

/** A browser without JavaScript: it requests pages and sends forms, and does not follow redirects. */
export class Reader extends Person {
  async open(path: string, headers: Record<string, string> = {}): Promise<Page> {
    const request = new Request(ORIGIN + path, { headers: { accept: "text/html", ...headers } });
    return read(await this.pass(request));
  }

  /** Sends a form with the anti-forgery token of the page `from`. */
  async sendForm(path: string, fields: Record<string, string>, { from = path } = {}): Promise<Page> {
    const token = metaIn((await this.open(from)).html, "csrf-token");
    return this.post(path, { authenticity_token: token, ...fields });
  }

  /** Sends a form without adding a token. */
  async post(path: string, fields: Record<string, string>): Promise<Page> {
    const body = new URLSearchParams(fields);
    const request = new Request(ORIGIN + path, {
      method: "POST",
      body,
      headers: { accept: "text/html", origin: ORIGIN },
    });
    return read(await this.pass(request));
  }
}

/** A browser that is signed in. */
export async function readerFor(
  deps: Pick<Deps, "pool">,
  server: RequestHandler,
  user: { id: number; email: string | null },
): Promise<Reader> {
  await givePassword(deps, user.id);
  const reader = new Reader(server);
  await reader.signIn(user.email);
  return reader;
}

/** The content of a meta tag, with entities decoded. */
export function metaIn(html: string, name: string): string {
  const content = new RegExp(`<meta name="${name}" content="([^"]*)">`).exec(html)?.[1];
  if (content === undefined) throw new Error(`the page has no meta tag ${name}`);
  return content.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

async function read(response: Response): Promise<Page> {
  return {
    status: response.status,
    html: await response.text(),
    location: response.headers.get("location"),
    headers: response.headers,
  };
}
