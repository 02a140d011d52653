import type { LoaderFunctionArgs } from "react-router";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { SharesAnswer } from "#src/shares/schemas.ts";

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
