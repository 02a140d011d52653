import { useLateParts } from "../base/deferred/use-late-parts.ts";

const load = () => import("./passkeys.tsx");

/** What needs a passkey, fetched after the page: null until it has arrived, and without JavaScript. */
export function usePasskeyParts() {
  return useLateParts(load);
}
