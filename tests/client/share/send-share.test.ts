import { beforeEach, expect, test } from "bun:test";
import { ApiError, createApi } from "#client/base/api/api.ts";
import { sendShare } from "#client/share/send-share.ts";
import type { ShareView } from "#src/shares/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom({ url: "http://localhost/sessions/the-show" }));

const share: ShareView = {
  id: 7,
  kind: "call",
  targetId: 12,
  title: "Will it rain?",
  url: "https://called.example/shared/abc",
  imageUrl: "http://localhost:9/api/v1/shared/abc/picture.png",
  createdAt: "2026-11-22T20:14:03.400Z",
  expiresAt: null,
  expired: false,
};
const api = createApi({ inProcess: false, carry: () => Promise.resolve({ share }) });
const wish = { kind: "call", targetId: 12, timeZone: "UTC" } as const;

/** What the device was asked to do. */
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  offer({ copies: true });
  Object.defineProperty(globalThis.location, "assign", {
    value: (path: string) => asked.push(`open ${path}`),
    configurable: true,
  });
});

type Device = { copies: boolean; shares?: () => Promise<void> };

/** The device copies, or refuses to; and shares, or has no such thing. */
function offer({ copies, shares }: Device): void {
  const clipboard = {
    writeText: (text: string) => {
      if (!copies) return Promise.reject(new DOMException("no", "NotAllowedError"));
      asked.push(`copy ${text}`);
      return Promise.resolve();
    },
  };
  const onShare = (data: ShareData) => {
    asked.push(`share ${data.title} ${data.url}`);
    return shares?.();
  };
  const values = { clipboard, share: shares === undefined ? undefined : onShare, canShare: () => false };
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(navigator, name, { value, configurable: true });
}

test("a tap on Share copies the link where the device does not share, or refuses", async () => {
  await sendShare(api, wish);
  expect(asked).toEqual(["copy https://called.example/shared/abc"]);
  offer({ copies: true, shares: () => Promise.reject(new DOMException("late", "NotAllowedError")) });
  await sendShare(api, wish);
  expect(asked.at(-1)).toBe("copy https://called.example/shared/abc");
});

test("a tap on Share opens the page with the link in a field where nothing else is allowed", async () => {
  offer({ copies: false });
  await sendShare(api, wish);
  expect(asked).toEqual(["open /shares?made=7"]);
});

test("a tap on Share that is refused copies and opens nothing", async () => {
  const refusing = createApi({
    inProcess: false,
    carry: () => Promise.reject(new ApiError(new Response(null, { status: 422 }), null)),
  });
  await sendShare(refusing, wish);
  expect(asked).toEqual([]);
});
