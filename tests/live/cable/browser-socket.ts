const ownSocket = globalThis.WebSocket;

/**
 * A WebSocket that sends what a browser sends by itself: the page's origin and its cookies. Everything else about it is
 * Bun's own, whose constructor takes headers although the browser's type does not say so.
 */
export function browserSocket(headers: (url: string) => Record<string, string>): typeof WebSocket {
  return new Proxy(ownSocket, {
    construct(target, [url, protocols]: [string, string[]]) {
      const socket: WebSocket = Reflect.construct(target, [url, { protocols, headers: headers(url) }]);
      return socket;
    },
  });
}
