import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";

/**
 * The panel beside the list of events, from the parameter `panel` of the page's address: an event's id, "new", "paste" or
 * "blueprint". Empty: the default, which is the blueprint itself.
 */
export function panelIn(search: URLSearchParams): string {
  return search.get("panel") ?? "";
}

export function eventIn(
  panel: string,
  events: readonly BlueprintEventView[],
): BlueprintEventView | undefined {
  return events.find(({ id }) => String(id) === panel);
}

/** Link props that open a panel. No data is loaded. */
export function panelLink(panel: string) {
  return {
    to: { search: panel === "" ? "" : `?${new URLSearchParams({ panel }).toString()}` },
    defaultShouldRevalidate: false,
  };
}
