import { redirect, redirectDocument } from "react-router";
import { type Api, ApiError, nullAt } from "../base/api/api.ts";
import { asGuest, type GuestWish } from "./as-guest.ts";

const ALREADY_SIGNED_IN = 409;

type Wish = {
  /** The path that the visitor came for. */
  returnPath: string;
  user?: GuestWish;
};

/**
 * Signs the visitor in as a guest and opens an Action screen: that of the session that the path is about, else that of the live
 * session, else that of the next one. Where there is none, no guest is made.
 * @throws ApiError for a name that is refused, and after too many guests.
 */
export async function becomeGuest(api: Api, { returnPath, user = {} }: Wish): Promise<Response> {
  const path = sessionPathIn(returnPath) ?? (await findGame(api));
  if (path === null) return redirect("/");
  try {
    await asGuest(api, user, (guest) => api.post("/users/guest", { user: guest }));
  } catch (error) {
    // The visitor has signed in in another tab.
    if (error instanceof ApiError && error.status === ALREADY_SIGNED_IN) return redirect(returnPath);
    throw error;
  }
  // A new document: the token, the viewer and all loaded data belong to another user now.
  return redirectDocument((await exists(api, path)) ? path : ((await findGame(api)) ?? "/guest"));
}

/** The Action screen of the session that a path is about; null for a path that is about none. */
export function sessionPathIn(path: string | null): string | null {
  return /^\/sessions\/(?!new(?:[/?#]|$))[^/?#]+/.exec(path ?? "")?.[0] ?? null;
}

/** The Action screen of the live session, or else of the next one; null without both. */
async function findGame(api: Api): Promise<string | null> {
  const { live, next } = (await api.get("/api/v1/front_door")).frontDoor;
  const session = live ?? next;
  return session === null ? null : `/sessions/${session.slug}`;
}

/** The address of a link may have gone. */
async function exists(api: Api, path: string): Promise<boolean> {
  const slug = path.slice("/sessions/".length);
  return (await api.get(`/api/v1/sessions/${slug}`).catch(nullAt(404))) !== null;
}
