import { encodeQR } from "qr";
import { memo } from "react";

/** The margin that a reader needs to find the symbol, in modules (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4;

/**
 * A QR code as an inline SVG, the same on the server and in the browser. It fills the width of its parent. It is black on white in
 * every theme, because many readers do not find a light symbol on dark.
 * @param text what it holds; an absolute address for a link.
 * @param label what it is, for a screen reader. Example: "QR code: join Friday Derby Night".
 */
export const QrCode = memo(function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE_MODULES });
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${rows.length}v${rows.length}H0z`} />
      <path fill="#000" d={rows.map(drawRow).join("")} />
    </svg>
  );
});

/** A row's dark modules as rectangles of one module's height. Neighbours are joined: gaps between them would show as lines. */
function drawRow(row: readonly boolean[], y: number): string {
  return row
    .flatMap((isDark, x) => (isDark && row[x - 1] !== true ? [x] : []))
    .map((x) => {
      const end = row.indexOf(false, x);
      return `M${x} ${y}h${end - x}v1H${x}z`;
    })
    .join("");
}
