import { readSentFile } from "#src/show/blueprints/read-plan-file.ts";

/** A file as it is read, in a browser of these languages. */
export function read(
  bytes: Uint8Array,
  { readAs, languages = "en" }: { readAs?: string; languages?: string } = {},
) {
  const headers = new Headers({ "accept-language": languages });
  return readSentFile({ bytes: Buffer.from(bytes).toString("base64"), readAs }, headers);
}
