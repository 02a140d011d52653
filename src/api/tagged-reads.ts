import { routeOf, table } from "./table.ts";

/** The reads whose answers may be kept, and asked about again: "GET /api/v1/sessions/:id". */
export const taggedReads: ReadonlySet<string> = new Set(
  table.flatMap(({ endpoint }) => (endpoint.etag === true ? [routeOf(endpoint)] : [])),
);
