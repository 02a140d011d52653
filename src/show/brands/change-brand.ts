import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { invalid } from "#src/base/refusal.ts";
import { attachPicture, type StoredPicture, storeUpload } from "#src/people/pictures/store-picture.ts";
import { discardBlobs } from "#src/people/storage/discard-blobs.ts";
import { isAccent, logoKeyIn, logoPath, nearestAccent } from "./contract.ts";
import type { Brand, BrandBody } from "./schemas.ts";
import { logoKind } from "./show-logo.ts";

// Decision: a brand is a part of the settings of a session and of a blueprint. So it is generated, copied, read and broadcast with them,
// and a session without one is stored and sent as before.

/** A checked change: what is left out stays, null removes it. */
type BrandChange = Omit<BrandBody, "logo"> & { logo?: StoredPicture | null | undefined };

/**
 * Checks a change of a brand, and makes the logo of an upload.
 * @param at the name of the field in the request: "settings.brand".
 * @throws Refusal 422 for an accent that does not hold, which names the nearest one that does; for a sponsor's line with an insult, and
 *   for an upload that is no accepted picture.
 */
export async function checkBrand(
  deps: Pick<Deps, "env" | "pool" | "store">,
  { brand, viewer, at }: { brand: BrandBody | undefined; viewer: { id: number } | null; at: string },
): Promise<BrandChange> {
  if (brand === undefined) return {};
  const { logo, ...rest } = brand;
  const { accent, sponsor } = rest;
  if (typeof accent === "string" && !isAccent(accent))
    throw invalid(
      { [`${at}.accent`]: [`has too little contrast: the nearest that holds is ${nearestAccent(accent)}`] },
      { code: "contrast", detail: "It must be readable with text on it, and beside light and dark grounds." },
    );
  refuseUnfitName({ [`${at}.sponsor`]: sponsor ?? undefined });
  if (logo === undefined || logo === null) return { ...rest, ...(logo === null && { logo }) };
  if (viewer === null) throw new Error("only an admin uploads a logo");
  const upload = { viewer, signedId: logo, field: `${at}.logo` };
  return { ...rest, logo: await storeUpload(deps, logoKind, upload) };
}

/** The brand after a change; undefined where nothing is left. */
export function mergeBrand(
  before: Brand | undefined,
  { accent, sponsor, logo }: BrandChange,
): Brand | undefined {
  const merged = {
    accent: pick(accent, before?.accent),
    sponsor: pick(sponsor, before?.sponsor),
    logo: pick(logo === undefined || logo === null ? logo : logoPath(logo.key), before?.logo),
  };
  const given = Object.entries(merged).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

export function withBrand<Settings extends object>(settings: Settings, brand: Brand | undefined) {
  return { ...settings, ...(brand !== undefined && { brand }) };
}

/** Settings for another installation: the file of a logo is in this one only. */
export function withoutLogo<Settings extends { brand?: Brand | undefined }>({
  brand,
  ...settings
}: Settings) {
  return withBrand(settings, brand === undefined ? undefined : mergeBrand(brand, { logo: null }));
}

function pick<Value>(change: Value | null | undefined, before: Value | undefined): Value | undefined {
  return change === undefined ? before : (change ?? undefined);
}

/** Attaches the logo of a change, in the transaction that stores the brand. */
export async function attachLogo(tx: Transaction, { logo }: BrandChange): Promise<void> {
  if (logo != null) await attachPicture(tx, logo);
}

/** Discards a logo that no session and no blueprint uses, in the transaction after the change. */
export async function discardLogo(tx: Transaction, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const users =
    (await tx.$count(sessions, eq(logoIn(sessions.settings), path))) +
    (await tx.$count(blueprints, eq(logoIn(blueprints.defaults), path)));
  if (users > 0) return;
  const [blob] = await tx
    .select({ id: blobs.id })
    .from(blobs)
    .where(eq(blobs.key, logoKeyIn(path)));
  if (blob !== undefined) await discardBlobs(tx, [blob.id]);
}

/** As in the indexes `sessions_logo` and `blueprints_logo`. */
const logoIn = (settings: typeof sessions.settings | typeof blueprints.defaults) =>
  sql<string | null>`(${settings} #>> '{brand,logo}')`;
