import { useLateParts } from "../base/deferred/use-late-parts.ts";

const load = async () => (await import("./chat-parts.ts")).chatParts;

/**
 * The parts of the chat on other pages. Their code is fetched when it is needed.
 * @returns null until it has arrived.
 */
export function useChatParts({ enabled }: { enabled: boolean }) {
  return useLateParts(enabled ? load : null);
}
