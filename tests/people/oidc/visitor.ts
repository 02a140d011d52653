import { type RequestHandler, Person } from "../users/person.ts";
import type { TestProvider } from "./provider.ts";

const BEGIN = "/users/sign_in/oidc";
const HTML = { accept: "text/html" };
const STEPS_MAX = 10;

/** A browser that signs in at the provider, where it keeps cookies too. */
export class Visitor extends Person {
  readonly #provider: TestProvider;
  readonly #jar = new Map<string, string>();

  constructor(server: RequestHandler, provider: TestProvider) {
    super(server);
    this.#provider = provider;
  }

  /** Opens an address of the product. @returns where it leads to: a path, or an address of the provider. */
  async open(path: string): Promise<string> {
    const response = await this.get(path, HTML);
    const location = response.headers.get("location") ?? `${response.status}`;
    return location.replace("http://localhost:3000", "");
  }

  /** Begins to sign in and comes back from the provider, without the last step. @returns the address with the code. */
  async bringCode(as: string, query = ""): Promise<string> {
    this.#provider.state.signsIn = as;
    return this.followAtProvider(await this.open(`${BEGIN}${query}`));
  }

  /** Signs in as a person of the provider. @returns where the product leads to afterwards. */
  async signInAs(as: string, query = ""): Promise<string> {
    return this.open(await this.bringCode(as, query));
  }

  /** Follows the provider until it leads back. */
  async followAtProvider(address: string, init: RequestInit = {}): Promise<string> {
    let next = address;
    for (let step = 0; step < STEPS_MAX && next.startsWith(this.#provider.issuer); step += 1) {
      const response = await this.#ask(next, step === 0 ? init : {});
      const form = /action="([^"]+)"[^]*name="xsrf" value="([^"]+)"/.exec(await response.clone().text());
      const location = response.headers.get("location");
      if (location === null && form !== null) {
        const body = new URLSearchParams({ xsrf: form[2] ?? "", logout: "yes" });
        return this.followAtProvider(form[1] ?? "", { method: "POST", body });
      }
      if (location === null) return `${response.status} ${await response.text()}`;
      next = new URL(location, next).href;
    }
    return next.replace("http://localhost:3000", "");
  }

  /** Forgets the provider, as another browser of the same person. */
  forgetProvider(): void {
    this.#jar.clear();
  }

  async #ask(address: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split("; ")[0] ?? "").split(/=(.*)/);
      if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
    return response;
  }
}
