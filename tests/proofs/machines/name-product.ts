import { rmSync, writeFileSync } from "node:fs";
import { ownVariables } from "#src/settings/env.ts";
import { productFile } from "#tests/browser/support/product.ts";

/** The variable in which a run of the journeys gets the product that it visits, as JSON. */
export const PRODUCT_VARIABLE = "CALLED_IT_PRODUCT";

/** Playwright calls it before the first journey, and the returned function after the last. */
export default function nameProduct(): () => void {
  const file = productFile(process.pid);
  writeFileSync(file, ownVariables()[PRODUCT_VARIABLE] ?? "");
  return () => rmSync(file, { force: true });
}
