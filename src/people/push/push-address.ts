import { isIP } from "node:net";
import { isInnerName } from "#src/http/outside/public-address.ts";
import type { Env } from "#src/settings/env.ts";

// Decision: the address of a push service comes from a browser, so from anybody. So it names a public host by https on its usual
// port, its host is no number, and the host is checked again where the connection is made (src/http/outside/public-address.ts).

/** True for an address to which messages may be sent. @param serviceOrigin another push service, which the settings allow. */
export function isPushEndpoint(
  endpoint: string,
  { serviceOrigin }: Pick<Env["push"], "serviceOrigin">,
): boolean {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.origin === serviceOrigin) return true;
  const host = url.hostname.replace(/\.$/, "");
  const isNumber = isIP(host.replaceAll(/[[\]]/g, "")) !== 0;
  return url.protocol === "https:" && url.port === "" && !isNumber && !isInnerName(host);
}
