import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { embedAnswer, embedQuery } from "./schemas.ts";
import { showEmbed } from "./show-embed.ts";

export const embedsEndpoints = {
  showEmbed: endpoint({
    route: "GET /oembed",
    summary: "Describes the card of a session for another page, as oEmbed does",
    notes:
      "Where FRAME_ORIGINS lets pages have it in a frame, and for who is signed out: `url` is the address of a session that everybody may see on a big screen. Every other address is unknown.",
    who: "public",
    query: embedQuery.entries,
    answer: embedAnswer,
    refusals: {
      not_found: { status: 404, when: "The address is of no such session, or nothing may be in a frame." },
    },
    handle: (deps, { query, now }) => showEmbed(deps, query, now),
  }),
};
