export const DIRECT_UPLOADS_PATH = "/api/v1/storage/direct_uploads";

export const FILENAME_LENGTH_MAX = 255;

export const NO_PICTURE = "must be a PNG, JPEG, WebP or GIF picture";

const BEGINNING_LENGTH = 12;

/**
 * The type of a picture by its first bytes, whatever its name or its sender says: messengers and browsers store one kind under the name
 * of another. Null for everything else, such as an SVG or a page in disguise.
 */
export function pictureTypeOf(bytes: Uint8Array): string | null {
  const beginning = String.fromCharCode(...bytes.subarray(0, BEGINNING_LENGTH));
  if (beginning.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (beginning.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^RIFF.{4}WEBP/s.test(beginning)) return "image/webp";
  return /^GIF8[79]a/.test(beginning) ? "image/gif" : null;
}
