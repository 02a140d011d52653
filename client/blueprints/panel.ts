import type { BlueprintEventView } from "#src/blueprints/schemas.ts";

/**
 * What stands beside the list of events, by the `panel` of the page's address: an event's id, "new", "paste", or "blueprint".
 * Empty: nothing was chosen, and there is the blueprint itself.
 */
export function panelIn(search: URLSearchParams): string {
  return search.get("panel") ?? "";
}

/** The event that a panel is about. */
export function eventIn(
  panel: string,
  events: readonly BlueprintEventView[],
): BlueprintEventView | undefined {
  return events.find(({ id }) => String(id) === panel);
}

/** A link to a panel. It asks the server for nothing. */
export function panelLink(panel: string) {
  return {
    to: { search: panel === "" ? "" : `?${new URLSearchParams({ panel }).toString()}` },
    defaultShouldRevalidate: false,
  };
}
