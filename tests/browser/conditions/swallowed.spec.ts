import { PROOF, expect, hydrated, test } from "../support/journey.ts";
import { expectCalls, playOnQuietNetwork, side, slip } from "../support/one-phone-show.ts";

const SILENT_MS = 22_000;
/** So soon after the network is back the player knows what became of the call. */
const KNOWN_WITHIN_MS = 15_000;

test(
  "the first touch of a page whose network swallows everything is a call as soon as new connections work, whatever code was on its way",
  { tag: PROOF },
  async () => {
    const game = await playOnQuietNetwork();
    const { network, page } = game;
    // The code that comes late is asked for with the first touch, not before, and this browser has none of it yet.
    const browserItself = await page.context().newCDPSession(page);
    await browserItself.send("Network.clearBrowserCache");
    await page.reload();
    await hydrated(page);
    network.dropAll();
    await side(page, "True").click();
    await expect(slip(page)).toContainText("is being checked");
    // As long as the network is silent: the condition of this test, which nothing on the page shows.
    await page.waitForTimeout(SILENT_MS);
    network.restore();
    await expect(slip(page)).toContainText("True $1.00 waits for the other side", {
      timeout: KNOWN_WITHIN_MS,
    });
    await expectCalls(game, { placed: 1, takenBack: 0 });
    // And the code that was lost comes.
    await expect(page.getByRole("button", { name: "Chat" })).toBeVisible();
    network.stop();
  },
);
