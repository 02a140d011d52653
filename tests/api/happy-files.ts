import { inTransaction } from "#db/client.ts";
import { attachLogo } from "#src/show/brands/change-brand.ts";
import { logoKeyIn } from "#src/show/brands/contract.ts";
import { makeLogo } from "#src/show/brands/store-logo.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { announce, announcementOf, PNG_BYTES, upload } from "#tests/people/storage/uploads.ts";
import type { Prepare } from "./fixture.ts";

const BYTES = new Uint8Array(PNG_BYTES);

export const happyFiles: Record<string, Prepare> = {
  announceUpload: async (fixture) => ({
    browser: (await fixture.player()).browser,
    body: { blob: announcementOf(BYTES) },
  }),
  storeUpload: async (fixture) => {
    const { browser } = await fixture.player();
    const { url, headers } = (await announce(browser, announcementOf(BYTES))).directUpload;
    const token = new URL(url).pathname.split("/").at(-1) ?? "";
    return { browser: fixture.signedOut, params: { token }, bytes: { body: BYTES, headers } };
  },
  showFace: async ({ signedOut }) => ({ browser: signedOut, params: { face: "7" } }),
  showLogo: async ({ deps, signedOut }) => {
    const logo = await makeLogo(deps, await picture("png"));
    await inTransaction(deps.pool.db, (tx) => attachLogo(tx, { logo }));
    return { browser: signedOut, params: { key: logoKeyIn(logo.path) } };
  },
  showBlob: async (fixture) => {
    const { browser } = await fixture.player();
    return {
      browser: fixture.signedOut,
      params: { signedId: (await upload(fixture.server, browser, BYTES)).signedId },
    };
  },
};
