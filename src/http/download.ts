import { streamParts } from "#src/base/stream-parts.ts";
import { XLSX_TYPE } from "#src/base/xlsx.ts";

/** How the name of a file ends, and what it is then. */
const types = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
  xlsx: XLSX_TYPE,
} as const;

type FileName = `${string}.${keyof typeof types}`;

/** A file that a browser saves: a text, or parts of which one is made only when the client has taken the one before. */
export function download(content: string | AsyncGenerator<string | Uint8Array>, name: FileName): Response {
  const [, type] = Object.entries(types).find(([ending]) => name.endsWith(`.${ending}`)) ?? [];
  return new Response(typeof content === "string" ? content : streamParts(content), {
    headers: {
      "content-type": type ?? "",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "private, no-store",
    },
  });
}
