import type { Sharp } from "sharp";
import { invalid, type Refusal } from "#src/base/refusal.ts";
import { createSemaphore } from "#src/base/semaphore.ts";
import { loadSharp } from "./load-sharp.ts";

const SIDE_PX_MAX = 10_000;
const PIXELS_MAX = 50_000_000;

/** Decoding takes a core and a few hundred megabytes at the worst: one picture after the other. */
const inTurn = createSemaphore(1);
const decoding = {};

type Format = "png" | "jpeg" | "webp" | "gif";
const names: Record<Format, string> = { png: "PNG", jpeg: "JPEG", webp: "WebP", gif: "GIF" };

/** Width and height in pixels, as a person sees it: turned the way the camera says. */
export type PictureSize = { width: number; height: number };

/**
 * Checks that an upload is a picture that we take. Its first bytes decide what it is, whatever it calls itself.
 * Refuses everything but a whole PNG, JPEG, WebP or GIF of its own type and of a bearable size: 422.
 */
export async function checkPicture(bytes: Uint8Array, contentType: string): Promise<PictureSize> {
  const format = formatOf(bytes);
  if (format === null) throw wrong("must be a PNG, JPEG, WebP or GIF picture");
  if (contentType.replace(/^image\/p?jpg$/, "image/jpeg") !== `image/${format}`)
    throw wrong(`is a ${names[format]} picture, but says it is something else`);
  const size = await readSize(bytes);
  if (Math.max(size.width, size.height) > SIDE_PX_MAX || size.width * size.height > PIXELS_MAX) {
    throw wrong("has too many pixels (maximum is 10,000 a side and 50 million in all)");
  }
  await inTurn(decoding, () => decode(bytes));
  return size;
}

/** Opens the bytes of a picture, first frame only, turned the way the camera says. */
export async function openPicture(bytes: Uint8Array): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: "error" }).autoOrient();
}

async function readSize(bytes: Uint8Array): Promise<PictureSize> {
  const sharp = await loadSharp();
  try {
    // Only the head is read here, so that a picture of any size is measured and not decoded.
    return (await sharp(bytes, { limitInputPixels: false }).metadata()).autoOrient;
  } catch {
    throw damaged();
  }
}

/** A picture that breaks off in the middle has a perfect head. */
async function decode(bytes: Uint8Array): Promise<void> {
  const picture = await openPicture(bytes);
  try {
    await picture.resize(1, 1).raw().toBuffer();
  } catch {
    throw damaged();
  }
}

function formatOf(bytes: Uint8Array): Format | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  if (/^RIFF.{4}WEBP/s.test(head)) return "webp";
  return /^GIF8[79]a/.test(head) ? "gif" : null;
}

const wrong = (text: string): Refusal => invalid({ avatar: [text] });
const damaged = () => wrong("cannot be read: the file is damaged");
