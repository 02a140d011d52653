import { useLateParts } from "../base/deferred/use-late-parts.ts";

const load = () => import("./chat-parts.ts");

/**
 * The parts of the chat on other pages. Their code is fetched when it is needed.
 * @returns null until it has arrived.
 */
export function useChatParts({ enabled }: { enabled: boolean }) {
  return useLateParts(enabled ? load : null);
}
