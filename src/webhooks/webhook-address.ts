import { isIP } from "node:net";
import { invalid } from "#src/base/refusal.ts";
import { isInnerName, isPublicAddress } from "#src/http/outside/public-address.ts";
import type { Env } from "#src/settings/env.ts";

type AddressEnv = Pick<Env, "production">;

// Decision: an admin chooses the address, and a stolen admin account must not become a way into the network that the product runs
// in. So outside development the host is public, which is checked here by its name and again where the connection is made
// (src/http/outside/request-outside.ts): the connection goes to the address that was checked.

/** True for an address that messages may be sent to. In development that is every http address, so that programs can be tried. */
export function isWebhookAddress({ production }: AddressEnv, address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (!production) return url.protocol === "http:" || url.protocol === "https:";
  const host = url.hostname.replace(/\.$/, "").replaceAll(/[[\]]/g, "");
  if (url.protocol !== "https:") return false;
  return isIP(host) === 0 ? !isInnerName(host) : isPublicAddress(host);
}

/** Refuses another address: 422. */
export function requireWebhookAddress(env: AddressEnv, address: string): void {
  if (isWebhookAddress(env, address)) return;
  throw invalid(
    { url: ["is invalid"] },
    {
      detail: env.production
        ? "Use a public address that begins with https:// and has no password in it."
        : "Use an address that begins with http:// or https:// and has no password in it.",
    },
  );
}
