import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import type { SeasonsAnswer } from "#src/play/seasons/schemas.ts";

/** All seasons, in the order of time. */
export async function loadSeasons({ context, request }: LoaderFunctionArgs): Promise<SeasonsAnswer> {
  return context.get(apiContext).get("/api/v1/seasons", { signal: request.signal });
}
