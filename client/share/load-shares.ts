import type { LoaderFunctionArgs } from "react-router";
import type { SharesAnswer } from "#src/shares/schemas.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

export type SharesData = SharesAnswer & {
  /** The link that was just made (`?made=12`); null where none was. */
  madeId: number | null;
};

/** A page of the viewer's own links, newest first. */
export async function loadShares({ context, request }: LoaderFunctionArgs): Promise<SharesData> {
  const search = new URL(request.url).searchParams;
  const query = { page: pageIn(search) };
  const answer = await context.get(apiContext).get("/api/v1/shares", { query, signal: request.signal });
  return { ...answer, madeId: Number(search.get("made")) || null };
}
