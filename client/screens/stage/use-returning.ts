import { useEffect } from "react";
import { whenIdle } from "#client/base/browser/when-idle.ts";
import { registerWorker } from "#client/install/register-worker.ts";

/**
 * Registers the service worker at once. Other pages do so when they are used, and nobody touches a big screen. With it a projector or
 * a stream's source that is loaded while the server is away returns by itself.
 */
export function useReturning(): void {
  useEffect(() => whenIdle(() => void registerWorker()), []);
}
