import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { BrandBand } from "#client/sessions/brand-band.tsx";
import { plainSite, setSite, site } from "#src/settings/contract.ts";
import { previewOf, previewScene } from "#src/shares/lay-out-scene.ts";
import { isAccent } from "#src/show/brands/contract.ts";
import { startSite } from "#src/show/site/start-site.ts";
import { afterFile } from "#tests/support/after-file.ts";

afterFile(() => setSite(plainSite));
const OWN = "#0072b3";
const given = { name: "Quiz", logo: null, accent: "#ffff00", pages: [] };

test("the accent of a site is that of sessions without their own, in bands and in pictures", () => {
  const before = JSON.stringify(previewScene());
  startSite(given);
  const color = site().accent?.color ?? "";
  expect(isAccent(color)).toBe(true);
  const band = (brand: { accent?: string }) =>
    renderToStaticMarkup(<BrandBand brand={{ ...brand, sponsor: "With thanks" }} name="Quiz" />);
  expect(band({})).toContain(`background:${color}`);
  expect(band({ accent: OWN })).toContain(`background:${OWN}`);
  expect(band({ accent: OWN })).not.toContain(color);
  const pictureOf = (brand: object) => previewOf({ name: "Friday", settings: { brand } }).brand;
  expect(previewScene().brand).toEqual({ accent: color });
  expect(pictureOf({ sponsor: "With thanks" })).toEqual({ sponsor: "With thanks", accent: color });
  expect(pictureOf({ accent: OWN })).toEqual({ accent: OWN });
  // A picture of before is the same file again where the settings are gone.
  startSite({ ...given, name: plainSite.name, accent: null });
  expect(JSON.stringify(previewScene())).toBe(before);
});
