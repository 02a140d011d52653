import { expect, test } from "bun:test";
import { readPage } from "#client/base/page/page.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const closeDom = openDom();
afterFile(() => closeDom());

function pageWith(head: string, root: string) {
  document.head.innerHTML = head;
  document.body.innerHTML = root;
  const element = document.querySelector<HTMLElement>("#root");
  if (element === null) throw new Error("no #root");
  return readPage(element, document);
}

test("the app starts from the page's metadata", () => {
  document.documentElement.dataset["theme"] = "dark";
  const avatar = {
    default: "/m.webp",
    thumb: "/t.webp",
    small: "/s.webp",
    medium: "/m.webp",
    large: "/l.webp",
    original: "/o.webp",
  };
  const page = pageWith(
    `<meta name="csrf-token" content="token"><meta name="action-cable-url" content="wss://live.example.test/socket">
     <meta name="active-session" content='{"id":3,"slug":"friday"}'>`,
    `<div id="root" data-user-gid="gid://called-it/User/7" data-user-id="7" data-user-email="ana@example.test"
       data-user-username="ana" data-user-avatar='${JSON.stringify(avatar)}' data-user-roles='["admin"]' data-host-of="[7,9]" data-user-guest="false" data-time-zone="Asia/Tokyo"
       data-demo="true" data-delay="20" data-stream-offsets='{"user":{"epoch":"e.1","offset":4},"session":null}'></div>`,
  );
  expect(page).toEqual({
    viewer: {
      id: 7,
      gid: "gid://called-it/User/7",
      email: "ana@example.test",
      username: "ana",
      avatar,
      roles: ["admin"],
      hostOf: [7, 9],
      guest: false,
    },
    csrfToken: "token",
    cableUrl: "wss://live.example.test/socket",
    activeSession: { id: 3, slug: "friday" },
    theme: "dark",
    timeZone: "Asia/Tokyo",
    delaySeconds: 20,
    demo: true,
    streamOffsets: { user: { epoch: "e.1", offset: 4 }, session: null },
  });
});

test("a guest's page says so, and has no roles", () => {
  const { viewer } = pageWith(
    "",
    `<div id="root" data-user-gid="gid://called-it/User/8" data-user-id="8" data-user-roles="[]" data-user-guest="true"></div>`,
  );
  expect(viewer).toMatchObject({ id: 8, email: null, roles: [], hostOf: [], guest: true });
});

test("a signed-out page has no viewer, and without a theme it has the system's", () => {
  delete document.documentElement.dataset["theme"];
  const page = pageWith("", `<div id="root" data-user-id=""></div>`);
  expect([page.viewer, page.activeSession, page.theme, page.demo]).toEqual([null, null, "system", false]);
  expect(page.delaySeconds).toBe(0);
});
