import { expect, test } from "bun:test";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { AppContext } from "#client/base/page/context.ts";
import { readPage } from "#client/base/page/page.ts";
import { LiveMessages } from "#client/results/live-messages.tsx";
import { endPlay, PlayedSocket, playSockets } from "#tests/client/played-socket.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const closeDom = openDom({ url: "http://called.example.test/" });
afterFile(async () => {
  endPlay();
  await closeDom();
});

let addresses: string[] = [];
let users = 0;

class AddressedSocket extends PlayedSocket {
  constructor(address: string) {
    super();
    addresses.push(address);
  }
}

/** Opens a page of another user, whose metadata have this address. Returns the gid, the page's socket, and how to close it. */
async function openPage(address: string) {
  users += 1;
  const gid = `gid://called-it/User/${users}`;
  document.head.innerHTML = `<meta name="action-cable-url" content="${address}">`;
  document.body.innerHTML = `<div id="root" data-user-gid="${gid}" data-user-id="${users}"></div>`;
  const element = document.querySelector<HTMLElement>("#root");
  if (element === null) throw new Error("no #root");
  const page = readPage(element, document);
  const api = createApi({
    inProcess: false,
    carry: overHttp({ csrfToken: "", send: async () => Response.json({}) }),
  });
  const root = createRoot(element);
  const sockets = playSockets();
  Object.assign(globalThis, { WebSocket: AddressedSocket });
  addresses = [];
  act(() =>
    root.render(
      <AppContext value={{ page, api }}>
        <LiveMessages />
      </AppContext>,
    ),
  );
  const socket = await waitFor("a socket", () => sockets[0] ?? null);
  return { gid, socket, close: () => act(() => root.unmount()) };
}

test.each([
  ["/cable", "ws://called.example.test/cable"],
  ["/live/cable", "ws://called.example.test/live/cable"],
  ["wss://live.example.test/cable", "wss://live.example.test/cable"],
])("a page with the address %s in its metadata connects to %s", async (address, connected) => {
  const { close } = await openPage(address);
  expect(addresses).toEqual([connected]);
  close();
});

test("a page subscribes to the UserChannel with its user's own gid", async () => {
  // A whole address: Action Cable reads a path with the document, and connects again after this file has closed it.
  const { gid, socket, close } = await openPage("wss://own.example.test/cable");
  socket.receive({ type: "welcome" });
  const subscribe = await waitFor("a command", () => socket.commands[0] ?? null);
  const { command, identifier }: { command: string; identifier: string } = JSON.parse(subscribe);
  expect([command, JSON.parse(identifier)]).toEqual(["subscribe", { channel: "UserChannel", id: gid }]);
  close();
});
