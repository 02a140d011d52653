import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { checkBooksNow } from "./check-books-now.ts";
import { booksEndpoints } from "./endpoints.ts";
import { presentBookCheck } from "./present-book-check.ts";
import { showBooks } from "./show-books.ts";

export function booksRoutes(deps: Deps) {
  return serveEndpoints(booksEndpoints, {
    showBooks: async ({ now }) => ({ books: await showBooks(deps.pool.db, now) }),
    checkBooks: async ({ viewer, keyed }) => ({
      bookCheck: presentBookCheck(await checkBooksNow(deps, viewer, keyed), viewer.username),
    }),
  });
}
