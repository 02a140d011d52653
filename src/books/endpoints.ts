import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { bookCheckAnswer, booksAnswer } from "./schemas.ts";

/** Checks of the books, for admins and operators. */
export const booksEndpoints = {
  showBooks: {
    route: "GET /api/v1/books",
    summary: "Shows the last check of the books, and their totals",
    notes: "The schedule checks the books about once a minute. This endpoint only reads the result.",
    who: "staff",
    answer: booksAnswer,
  },
  checkBooks: {
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
  },
} as const satisfies Endpoints;
