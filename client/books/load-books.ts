import type { LoaderFunctionArgs } from "react-router";
import type { BooksAnswer } from "#src/books/schemas.ts";
import { apiContext } from "../context.ts";

/** Whether the books agree, and what waits for a person. */
export function loadBooks({ context, request }: LoaderFunctionArgs): Promise<BooksAnswer> {
  return context.get(apiContext).get("/api/v1/books", { signal: request.signal });
}
