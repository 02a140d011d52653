import { PROOF, type Page, expect, test } from "../support/journey.ts";
import { playOnQuietNetwork } from "../support/one-phone-show.ts";
import { type BackToBackShow, goOn } from "../support/two-device-show.ts";

const syncOf = (page: Page) => page.locator(".topbar .sync");

/** The page says that it is not in sync, follows the show all the same, and is in sync again once the network carries sockets. */
async function expectToFollow(show: BackToBackShow, page: Page, restore: () => unknown): Promise<void> {
  await expect(syncOf(page)).toHaveText("Offline");
  await goOn(show);
  await expect(syncOf(page)).toHaveText("Offline");
  restore();
  await expect(syncOf(page)).toHaveText("In sync");
  await goOn(show);
}

test(
  "a phone whose socket goes silent, and whose next handshakes are not answered, says so and follows the show by HTTP",
  { tag: PROOF },
  async () => {
    const { network, show, page } = await playOnQuietNetwork();
    await expect(syncOf(page)).toHaveText("In sync");

    await test.step("the socket goes silent", async () => {
      network.swallowHandshakes();
      network.silenceSockets();
      await expectToFollow(show, page, network.restore);
    });

    await test.step("the socket is reset", async () => {
      network.swallowHandshakes();
      network.resetSockets();
      await expectToFollow(show, page, network.restore);
    });

    await test.step("the silent socket closes while its replacement waits for an answer", async () => {
      const before = network.swallowed();
      network.swallowHandshakes();
      network.silenceSockets();
      await expect.poll(network.swallowed).toBeGreaterThan(before);
      network.resetSockets();
      await expectToFollow(show, page, network.restore);
    });

    await test.step("all packets are dropped", async () => {
      network.dropAll();
      await expect(syncOf(page)).toHaveText("Offline");
      network.restore();
      await expect(syncOf(page)).toHaveText("In sync");
      await goOn(show);
    });
    network.stop();
  },
);
