import sharp from "sharp";

/** A picture in one of the formats: left half red, right half blue, with EXIF metadata. */
export async function picture(
  format: "png" | "jpeg" | "webp" | "gif",
  { width = 400, height = 200 }: { width?: number; height?: number } = {},
): Promise<Uint8Array> {
  const half = { width: Math.ceil(width / 2), height, channels: 3 as const, background: "#0000ff" };
  const right = await sharp({ create: half }).png().toBuffer();
  const bytes = await sharp({ create: { width, height, channels: 3, background: "#ff0000" } })
    .composite([{ input: right, left: Math.floor(width / 2), top: 0 }])
    .withExif({ IFD0: { Artist: "Somebody at Home Street 1" } })
    .toFormat(format)
    .toBuffer();
  return new Uint8Array(bytes);
}

/** The size of a picture, and red, green and blue of its middle pixel. */
export async function inspectPicture(
  bytes: Uint8Array,
): Promise<{ width: number; height: number; middle: number[] }> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * channels;
  return { width, height, middle: [...data.subarray(at, at + 3)] };
}

/** A PNG whose header declares this size in pixels, without the data. */
export async function hugePng(side: number): Promise<Uint8Array> {
  const bytes = Buffer.from(await picture("png", { width: 2, height: 2 }));
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(12, 29)), 29);
  return new Uint8Array(bytes);
}
