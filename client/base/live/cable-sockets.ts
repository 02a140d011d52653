import { adapters } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";

const PROTOCOL = "actioncable-v1-json";
/** Browsers wait for the answer to a handshake for minutes, and Action Cable takes a socket that waits for one that works. */
const HANDSHAKE_WITHIN_MS = 5_000;
/** A ping of the server comes every 3 s. A page that has heard nothing for longer and is seen again was asleep. */
const ASLEEP_AFTER_MS = 4_000;
/** Two pings of the server. Action Cable's own check finds the same between 6 and 18 s. */
const SILENT_AFTER_MS = 6_000;

type SocketWatcher = {
  /** False: no socket is opened. */
  mayOpen: () => boolean;
  /** A socket is about to be opened. */
  opening: () => void;
  /** The socket that is about to be opened takes the place of an earlier one. */
  replacing: () => void;
  /**
   * The server wants no reconnection, or speaks no protocol that the page knows. Called before the socket closes.
   * @param reason the server's word; empty if it gave none.
   */
  dismissed: (reason: string) => void;
  /** The newest socket has closed, or could not be opened. */
  closed: () => void;
  /** The newest socket has brought nothing for the time of two pings. */
  silent: () => void;
  /** The page was asleep: the newest socket may be dead, and its messages are waited for. */
  awake: () => void;
  /** The newest socket is open, or has brought something. */
  heard: () => unknown;
};

const watched = new WeakSet<typeof WebSocket>();

/**
 * Watches the sockets that Action Cable opens. It tells its subscriptions neither the reason of a disconnection nor a first
 * attempt that fails, and a timer of its own may open a socket after the server asked for silence.
 */
export function watchSockets(watcher: SocketWatcher): void {
  if (watched.has(adapters.WebSocket)) return;
  let newest: WebSocket | null = null;
  adapters.WebSocket = new Proxy(adapters.WebSocket, {
    construct(target, parameters: ConstructorParameters<typeof WebSocket>) {
      if (!watcher.mayOpen()) return { readyState: target.CLOSED };
      watcher.opening();
      if (newest !== null) watcher.replacing();
      const socket: WebSocket = Reflect.construct(target, parameters);
      newest = socket;
      watchForSilence(socket, watcher, () => newest === socket);
      socket.addEventListener("open", () => {
        if (socket.protocol !== PROTOCOL) watcher.dismissed("");
      });
      socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
        const reason = dismissalIn(data);
        if (reason !== null) watcher.dismissed(reason);
      });
      socket.addEventListener("close", () => {
        if (newest === socket) watcher.closed();
      });
      return socket;
    },
  });
  watched.add(adapters.WebSocket);
}

/** Gives up a handshake without an answer, and reports an open socket that brings nothing. */
function watchForSilence(socket: WebSocket, watcher: SocketWatcher, isNewest: () => boolean): void {
  let timer = setTimeout(() => socket.close(), HANDSHAKE_WITHIN_MS);
  let heardAtMs = Date.now();
  const closed = new AbortController();
  const wait = () => {
    clearTimeout(timer);
    const dueMs = Date.now() + SILENT_AFTER_MS;
    timer = setTimeout(() => {
      if (!isNewest()) return;
      // A timer of a page that was asleep is late. Nothing is known about its socket yet.
      if (Date.now() - dueMs > ASLEEP_AFTER_MS) wakeUp();
      else watcher.silent();
    }, SILENT_AFTER_MS);
  };
  const wakeUp = () => {
    wait();
    watcher.awake();
  };
  const onVisible = () => {
    const isOld = Date.now() - heardAtMs > ASLEEP_AFTER_MS;
    if (document.visibilityState === "visible" && isOld && isNewest() && socket.readyState === WebSocket.OPEN)
      wakeUp();
  };
  const listenOn = () => {
    heardAtMs = Date.now();
    wait();
    if (isNewest()) watcher.heard();
  };
  socket.addEventListener("open", () => {
    listenOn();
    document.addEventListener("visibilitychange", onVisible, { signal: closed.signal });
  });
  socket.addEventListener("message", listenOn);
  socket.addEventListener("close", () => {
    clearTimeout(timer);
    closed.abort();
  });
}

type DisconnectFrame = { type?: string; reason?: string; reconnect?: boolean };

/** The reason of a disconnection without reconnection; null for all other frames. */
function dismissalIn(text: string): string | null {
  // Most frames are broadcasts, which are parsed once, by Action Cable.
  if (!text.includes('"disconnect"')) return null;
  const { type, reason = "", reconnect = false }: DisconnectFrame = JSON.parse(text);
  return type === "disconnect" && !reconnect ? reason : null;
}
