import type { CSSProperties } from "react";
import { site } from "#src/settings/contract.ts";
import { inkOn } from "#src/show/brands/contract.ts";
import type { Brand } from "#src/show/brands/schemas.ts";

type BrandBandProps = {
  brand: Brand | undefined;
  /** Whose logo it is, for who does not see it. */
  name: string;
  className?: string;
};

/** The logo and the sponsor's line of a session, on its accent. A session without a brand has none. */
export function BrandBand({ brand, name, className }: BrandBandProps) {
  if (brand?.logo === undefined && brand?.sponsor === undefined) return null;
  const { accent = site().accent?.color, logo, sponsor } = brand;
  return (
    <p className={className} data-band="" style={{ ...band, ...colorsOf(accent) }}>
      {logo === undefined ? null : <img src={logo} alt={sponsor === undefined ? name : ""} style={picture} />}
      {sponsor === undefined ? null : <span>{sponsor}</span>}
    </p>
  );
}

// Decision: the few pages that show a brand bring its style with them, so all other pages weigh as if there were none. Forced colours
// replace the ground and the ink, and show the border.
const band: CSSProperties = {
  display: "flex",
  alignItems: "center",
  gap: "0.6em",
  padding: "0.5em 0.75em",
  borderWidth: 1,
  borderStyle: "solid",
  borderColor: "transparent",
  borderRadius: "0.5em",
  overflowWrap: "anywhere",
};
const picture: CSSProperties = { height: "2.25em", maxWidth: "45%", objectFit: "contain" };

function colorsOf(accent: string | undefined): CSSProperties {
  return accent === undefined
    ? { background: "var(--surface-2)", color: "var(--ink)" }
    : { background: accent, color: inkOn(accent) };
}
