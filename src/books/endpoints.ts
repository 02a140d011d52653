import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { checkBooksNow } from "./check-books-now.ts";
import { presentBookCheck } from "./present-book-check.ts";
import { bookCheckAnswer, booksAnswer } from "./schemas.ts";
import { showBooks } from "./show-books.ts";

export const booksEndpoints = {
  showBooks: endpoint({
    route: "GET /api/v1/books",
    summary: "Shows the last check of the books, and their totals",
    notes: "The schedule checks the books about once a minute. This endpoint only reads the result.",
    who: "staff",
    answer: booksAnswer,
    handle: async (deps, { now }) => ({ books: await showBooks(deps.pool.db, now) }),
  }),
  checkBooks: endpoint({
    route: "POST /api/v1/books/checks",
    summary: "Checks the books now",
    who: "staff",
    rate: rates.checkBooks,
    answer: bookCheckAnswer,
    creates: true,
    refusals: {
      still_checking: {
        status: 503,
        when: "The check takes long. It continues, and `GET /api/v1/books` shows its result.",
      },
    },
    handle: async (deps, { viewer, keyed }) => ({
      bookCheck: presentBookCheck(await checkBooksNow(deps, viewer, keyed), viewer.username),
    }),
  }),
};
