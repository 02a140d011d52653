import { showLetter, showLetters } from "#src/mail/show-letters.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { answerDocument } from "./answer-document.ts";
import { STYLE_SOURCE } from "./reference-styles.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const ofReference = { who: "public", skipsSignIn: true, answer: "file" } as const;

/** What is no part of the API: its reference as a page and as documents, and the mails that were stored, for who develops here. */
export const otherEndpoints = {
  showReference: endpoint({
    ...ofReference,
    route: "GET /api",
    summary: "Shows the reference of the API",
    handle: (_deps, { request, context }) => {
      context.styleSources = STYLE_SOURCE;
      return answerDocument(request, "page", "text/html; charset=utf-8");
    },
  }),
  showDocument: endpoint({
    ...ofReference,
    route: "GET /api/openapi.json",
    summary: "Shows the API as an OpenAPI document",
    handle: (_deps, { request }) => answerDocument(request, "openapi", JSON_TYPE),
  }),
  showCableDocument: endpoint({
    ...ofReference,
    route: "GET /api/asyncapi.json",
    summary: "Shows the cable as an AsyncAPI document",
    handle: (_deps, { request }) => answerDocument(request, "asyncapi", JSON_TYPE),
  }),
  showLetters: endpoint({
    route: "GET /dev/mail",
    summary: "Shows all stored mails",
    who: "anyone",
    answer: "file",
    handle: (deps, { context }) => showLetters(deps, context),
  }),
  showLetter: endpoint({
    route: "GET /dev/mail/:id",
    summary: "Shows a stored mail",
    who: "anyone",
    answer: "file",
    handle: (deps, { request, params }) => showLetter(deps, request, params.id),
  }),
};
