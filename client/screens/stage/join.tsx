import { Fragment, useSyncExternalStore } from "react";
import { QrCode } from "#client/ui/qr-code.tsx";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import * as texts from "./stage-texts.ts";

/** How to join: the code, and the address for those who cannot scan it. Nobody joins a session that is over. */
export function Join({ session, url: publicUrl }: { session: SessionView; url: string }) {
  const url = useReachable(publicUrl);
  if (session.state === "stopped") return null;
  return (
    <section className="join">
      <QrCode text={url} label={texts.joinCode(session.name)} />
      <p>
        <b>{texts.join}</b>
        <span className="address">
          {url
            .replace(/^https?:\/\//, "")
            .split(/(?<=\/)/)
            .map((part) => (
              <Fragment key={part}>
                <span>{part}</span>
                <wbr />
              </Fragment>
            ))}
        </span>
      </p>
    </section>
  );
}

/**
 * Without a public address the product is known by one that only its own computer reaches. Then the code holds the one by which
 * this browser has reached it.
 */
function useReachable(publicUrl: string): string {
  return useSyncExternalStore(
    neverChanges,
    () =>
      isLocal(publicUrl) ? publicUrl.replace(/^https?:\/\/[^/]+/, globalThis.location.origin) : publicUrl,
    () => publicUrl,
  );
}

function isLocal(url: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/.test(url);
}

function neverChanges(): () => void {
  return () => undefined;
}
