import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { bookCheckAnswer, booksAnswer } from "./schemas.ts";

/** Whether the books agree, for those who look after them. */
export const booksEndpoints = {
  showBooks: {
    method: "GET",
    path: "/api/v1/books",
    summary: "Shows what the last check of the books has found, and what they hold",
    notes: "The schedule checks them once a minute; this reads what it found.",
    who: "staff",
    answer: booksAnswer,
  },
  checkBooks: {
    method: "POST",
    path: "/api/v1/books/checks",
    summary: "Checks the books now",
    who: "staff",
    rate: rates.checkBooks,
    answer: bookCheckAnswer,
    status: 201,
    refusals: { still_checking: { status: 503, when: "It takes long. It goes on, and is there later." } },
  },
} as const satisfies Endpoints;
