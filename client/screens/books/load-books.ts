import type { LoaderFunctionArgs } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { BooksAnswer } from "#src/books/schemas.ts";

export type BooksData = { answer: Deferred<BooksAnswer> };

/** Whether the books balance, and the payments that need attention. */
export async function loadBooks(args: LoaderFunctionArgs): Promise<BooksData> {
  const { context, request } = args;
  const api = context.get(apiContext);
  return { answer: await defer(args, () => api.get("/api/v1/books", { signal: request.signal })) };
}
