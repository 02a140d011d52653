import { useMatches } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import { type Handle, isHandle } from "../handle.ts";

/** Route id of the layout that loads the session for all its screens. */
export const SESSION_ROUTE = "session";

export type Here = {
  layout: Handle["layout"];
  /** The window's title. */
  title: string;
  /** The heading in the top bar. */
  heading: string;
  session: SessionView | null;
};

type Match = { id: string; handle: unknown; loaderData?: unknown };

/** The current location, from the matched routes. */
export function useHere(): Here {
  return hereOf(useMatches());
}

/** The same from a list of matches, outermost first; the server calls it before rendering. */
export function hereOf(matches: readonly Match[]): Here {
  const handle = matches.map((match) => match.handle).findLast(isHandle);
  const session = sessionIn(matches.find((match) => match.id === SESSION_ROUTE)?.loaderData);
  const title = handle?.title ?? "Not found";
  return {
    layout: handle?.layout ?? "page",
    title: [title, session?.name, "Called It"].filter(Boolean).join(" · "),
    heading: session?.name ?? handle?.heading ?? "",
    session,
  };
}

function sessionIn(data: unknown): SessionView | null {
  return hasSession(data) ? data.session : null;
}

function hasSession(data: unknown): data is { session: SessionView } {
  return typeof data === "object" && data !== null && "session" in data;
}
