import type { Wire } from "./frames.ts";

const EXTENDED = "actioncable-v1-ext-json";
/** What we speak, and the name under which a client is told that we speak nothing it knows. */
const known = ["actioncable-v1-json", EXTENDED, "actioncable-unsupported"];

/** `name` is "" where nothing is to be chosen: Bun then leaves the header out, where otherwise it would echo the first offer. */
type Subprotocol = { name: string; wire: Wire };

/**
 * Chooses from what the client offers: the first that we know.
 * @param offer the header Sec-WebSocket-Protocol, null where there is none.
 */
export function chooseSubprotocol(offer: string | null): Subprotocol {
  const offered = (offer ?? "").split(",").map((name) => name.trim());
  const name = offered.find((one) => known.includes(one)) ?? "";
  return { name, wire: name === EXTENDED ? "ext" : "plain" };
}
