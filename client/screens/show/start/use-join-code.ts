import { useEffect, useState } from "react";
import { useLoaderData } from "react-router";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { ShowPage } from "../load-show.ts";
import { useShow } from "../show-context.ts";

const RENEWED = "renew_join_code";

/** The session's join code, loaded again when a host has renewed it: the audit says so on the pages of all hosts. */
export function useJoinCode(): string {
  const api = useApi();
  const { joinCode } = useLoaderData<ShowPage>();
  const { session, audit } = useShow();
  const renewal = audit.find(({ action }) => action === RENEWED)?.id ?? 0;
  const [known, setKnown] = useState({ code: joinCode, renewal });
  useEffect(() => {
    if (renewal === known.renewal) return undefined;
    const left = new AbortController();
    api.get(`${sessionPath(session.slug)}/join_code`, { signal: left.signal }).then(
      (answer) => setKnown({ code: answer.joinCode.code, renewal }),
      // The next message about the session tries again.
      () => undefined,
    );
    return () => left.abort();
  }, [api, session.slug, renewal, known.renewal]);
  return known.code;
}
