import { Fragment, useSyncExternalStore } from "react";
import { QrCode } from "#client/ui/qr-code.tsx";
import { spacedCode } from "#src/show/join-codes/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import * as texts from "./stage-texts.ts";

type JoinProps = { session: SessionView; code: string; url: string };

/** How to join, or how players find their results afterwards: the code, and the address for those who cannot scan it. */
export function Join({ session, code, url: publicUrl }: JoinProps) {
  const url = useReachable(publicUrl);
  const isOver = session.state === "stopped";
  const label = isOver ? texts.resultsCode(session.name) : texts.joinCode(session.name);
  const { origin, pathname } = new URL(url);
  return (
    <section className="join" translate="no">
      <QrCode text={url} label={label} />
      <p>
        <b>{isOver ? texts.keep : texts.join}</b>
        <span className="address">
          {`${origin}${pathname}`
            .replace(/^https?:\/\//, "")
            .split(/(?<=\/)/)
            .map((part) => (
              <Fragment key={part}>
                <span>{part}</span>
                <wbr />
              </Fragment>
            ))}
        </span>
        <b className="code num">{spacedCode(code)}</b>
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
