import { inkOn } from "#src/show/brands/contract.ts";
import type { Brand } from "#src/show/brands/schemas.ts";
import { PICTURE_SIZE } from "./contract.ts";
import { drawable } from "./drawable.ts";
import { box, element, type Element, familyOf, text } from "./elements.ts";

/** Of a band with words or a logo, and of one that is only a colour. */
const HEIGHT = 72;
const PLAIN_HEIGHT = 20;
const LOGO_HEIGHT = 52;
const LOGO_WIDTH_MAX = 420;
/** Where the header of a PNG has its width and its height. */
const WIDTH_AT = 16;
const HEIGHT_AT = 20;

/** A picture with the brand of its session at its lower edge: the logo and the sponsor's line on the accent. */
export function withBand(page: Element, { accent, sponsor = "" }: Brand, logo: Uint8Array | null): Element {
  const line = drawable(sponsor, "");
  const height = line === "" && logo === null ? PLAIN_HEIGHT : HEIGHT;
  const { width } = PICTURE_SIZE;
  const band = box(
    {
      alignItems: "center",
      gap: 24,
      boxSizing: "border-box",
      padding: "0 64px",
      fontFamily: familyOf("text"),
      width,
      height,
      ...colorsOf(accent),
    },
    [
      ...(logo === null ? [] : [picture(logo)]),
      ...(line === "" ? [] : [text(line, { fontSize: 32, display: "block", lineClamp: 1 })]),
    ],
  );
  const above = box({ width, height: PICTURE_SIZE.height - height }, [page]);
  return box({ ...PICTURE_SIZE, flexDirection: "column" }, [above, band]);
}

function colorsOf(accent: string | undefined) {
  return accent === undefined
    ? { background: "#ffffff", color: "#14171a" }
    : { background: accent, color: inkOn(accent) };
}

function picture(png: Uint8Array): Element {
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const ratio = header.getUint32(WIDTH_AT) / header.getUint32(HEIGHT_AT);
  const width = Math.min(LOGO_WIDTH_MAX, Math.round(LOGO_HEIGHT * ratio));
  const height = Math.min(LOGO_HEIGHT, Math.round(LOGO_WIDTH_MAX / ratio));
  return element("img", {
    src: `data:image/png;base64,${Buffer.from(png).toString("base64")}`,
    width,
    height,
    style: { flexShrink: 0 },
  });
}
