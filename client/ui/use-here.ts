import { useMatches } from "react-router";
import { site } from "#src/settings/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type Handle, isHandle } from "../base/page/handle.ts";

/** Route id of the layout that loads the session for all its screens. */
export const SESSION_ROUTE = "session";

export type Here = {
  /** The path of the screen's route; undefined for an unknown path. */
  route: string | undefined;
  layout: Handle["layout"];
  title: string;
  heading: string;
  session: SessionView | null;
};

type FrameHandle = Pick<Handle, "layout" | "title" | "heading">;
type Match = { id: string; handle: unknown; loaderData?: unknown };

/** The current location, from the matched routes. */
export function useHere(): Here {
  return hereOf(useMatches());
}

/** The same from a list of matches, outermost first; the server calls it before rendering. */
export function hereOf(matches: readonly Match[]): Here {
  const { route, handle } = screenIn(matches);
  const session = sessionIn(matches.find((match) => match.id === SESSION_ROUTE)?.loaderData);
  return {
    route,
    layout: handle.layout,
    title: [handle.title, session?.name, site().name].filter(Boolean).join(" · "),
    heading: session?.name ?? handle.heading,
    session,
  };
}

/** The innermost screen. A path that leads to none has the layout of an ordinary page. */
function screenIn(matches: readonly Match[]): { route: string | undefined; handle: FrameHandle } {
  for (const { id, handle } of matches.toReversed()) if (isHandle(handle)) return { route: id, handle };
  return { route: undefined, handle: { layout: "page", title: "Not found", heading: "" } };
}

function sessionIn(data: unknown): SessionView | null {
  const hasSession = (known: unknown): known is { session: SessionView } =>
    typeof known === "object" && known !== null && "session" in known;
  return hasSession(data) ? data.session : null;
}
