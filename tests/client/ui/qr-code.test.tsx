import { expect, test } from "bun:test";
import decodeQR from "qr/decode.js";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { QrCode } from "#client/ui/qr-code.tsx";

const MODULE_PIXELS = 4;

test("a QR code holds its text, so that a phone opens the link", () => {
  const link = "https://called-it.example/sessions/friday-derby-night";
  expect(read(renderToStaticMarkup(createElement(QrCode, { text: link, label: "Join" })))).toBe(link);
});

/** Draws the SVG's rectangles as pixels and reads them as a phone's camera would. */
function read(svg: string): string {
  const modules = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const side = modules * MODULE_PIXELS;
  const data = new Uint8Array(side * side * 4).fill(255);
  const dark = /<path fill="#000" d="([^"]*)"/.exec(svg)?.[1] ?? "";
  for (const [, x, y, width] of dark.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    fill(data, side, { x: Number(x), y: Number(y), width: Number(width) });
  }
  return decodeQR({ width: side, height: side, data });
}

function fill(data: Uint8Array, side: number, { x, y, width }: { x: number; y: number; width: number }) {
  for (let row = y * MODULE_PIXELS; row < (y + 1) * MODULE_PIXELS; row += 1) {
    for (let column = x * MODULE_PIXELS; column < (x + width) * MODULE_PIXELS; column += 1) {
      data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  }
}
