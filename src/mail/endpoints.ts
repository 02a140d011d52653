import type { Endpoints } from "#src/http/endpoint.ts";

/** The mails that were stored, for who develops here. They are no part of the API. */
export const mailEndpoints = {
  showLetters: {
    route: "GET /dev/mail",
    summary: "Shows all stored mails",
    who: "anyone",
    answer: "file",
  },
  showLetter: {
    route: "GET /dev/mail/:id",
    summary: "Shows a stored mail",
    who: "anyone",
    answer: "file",
  },
} as const satisfies Endpoints;
