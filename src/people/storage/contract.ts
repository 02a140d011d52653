export const DIRECT_UPLOADS_PATH = "/api/v1/storage/direct_uploads";

export const FILENAME_LENGTH_MAX = 255;

export const NO_PICTURE = "must be a PNG, JPEG, WebP or GIF picture";

const BEGINNING_LENGTH = 12;

/**
 * Compares the first bytes of an upload with its declared type. So an SVG or a page in disguise is not stored.
 * @returns what is wrong, as the message of a field; null for a picture of this type.
 */
export function findPictureFault(bytes: Uint8Array, contentType: string): string | null {
  const name = formatOf(String.fromCharCode(...bytes.subarray(0, BEGINNING_LENGTH)));
  if (name === null) return NO_PICTURE;
  if (contentType.replace(/^image\/p?jpe?g$/, "image/jpeg") === `image/${name.toLowerCase()}`) return null;
  return `is a ${name} picture, but says it is something else`;
}

function formatOf(beginning: string): "PNG" | "JPEG" | "WebP" | "GIF" | null {
  if (beginning.startsWith("\x89PNG\r\n\x1a\n")) return "PNG";
  if (beginning.startsWith("\xff\xd8\xff")) return "JPEG";
  if (/^RIFF.{4}WEBP/s.test(beginning)) return "WebP";
  return /^GIF8[79]a/.test(beginning) ? "GIF" : null;
}
