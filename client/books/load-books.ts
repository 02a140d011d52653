import type { LoaderFunctionArgs } from "react-router";
import type { BooksAnswer } from "#src/books/schemas.ts";
import { apiContext } from "../context.ts";

/** Whether the books balance, and the payments that need attention. */
export function loadBooks({ context, request }: LoaderFunctionArgs): Promise<BooksAnswer> {
  return context.get(apiContext).get("/api/v1/books", { signal: request.signal });
}
