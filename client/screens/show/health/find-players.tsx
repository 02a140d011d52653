import { useEffect, useRef, useState } from "react";
import { useLoaderData } from "react-router";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { PLAYERS_FOUND_MAX } from "#src/operate/health/contract.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import { FIND, type ShowPage } from "../load-show.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";
import { PlayerRow } from "./player-row.tsx";

/** A search begins when nothing was typed for so long. */
const TYPED_MS = 300;
const SEARCH_LENGTH_MAX = 254;
const REMOVED = "remove_player";

type Search = { text: string; players: readonly FoundPlayer[] | null; failed: boolean };

/** Finds a player by a part of the name or the email: the wallet, and the newest calls in this session. Without JavaScript by Enter. */
export function FindPlayers() {
  const { found } = useLoaderData<ShowPage>();
  const [text, setText] = useState(found?.text ?? "");
  const field = useRef<HTMLInputElement>(null);
  // What was typed before the scripts had arrived. The field keeps it: it has no value of React's.
  useEffect(() => setText(field.current?.value ?? ""), []);
  const search = useSearch(text.trim());
  return (
    <search className="panel find-players" aria-label={texts.players}>
      <form onSubmit={(event) => event.preventDefault()}>
        <input
          className="input sm"
          name={FIND}
          defaultValue={found?.text}
          type="search"
          ref={field}
          aria-label={texts.findPlayer}
          placeholder={useIsAdmin() ? texts.findHint : texts.findByName}
          autoComplete="off"
          maxLength={SEARCH_LENGTH_MAX}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <p className="small ink2" role="status">
        {statusOf(text.trim(), search)}
      </p>
      {search?.players == null || search.players.length === 0 ? null : (
        <ul aria-label={texts.players}>
          {search.players.map((player) => (
            <PlayerRow key={player.id} player={player} />
          ))}
        </ul>
      )}
    </search>
  );
}

/** @returns the newest search; null without a text. */
function useSearch(text: string): Search | null {
  const { session, audit } = useShow();
  const api = useApi();
  const { found } = useLoaderData<ShowPage>();
  const [search, setSearch] = useState<Search | null>(found === null ? null : { ...found, failed: false });
  const { slug } = session;
  // A removal, also by another host, is seen in what was found.
  const removal = audit.find(({ action }) => action === REMOVED)?.id ?? 0;
  useEffect(() => {
    if (text === "") return undefined;
    const left = new AbortController();
    const options = { query: { search: text }, signal: left.signal };
    const timer = setTimeout(() => {
      api.get(`${sessionPath(slug)}/players`, options).then(
        ({ players }) => setSearch({ text, players, failed: false }),
        () => {
          if (!left.signal.aborted) setSearch({ text, players: null, failed: true });
        },
      );
    }, TYPED_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [api, slug, text, removal]);
  return text === "" ? null : search;
}

function statusOf(text: string, search: Search | null): string {
  if (text === "") return "";
  if (search?.text !== text) return texts.searching;
  if (search.failed || search.players === null) return texts.searchFailed;
  const { length } = search.players;
  return length === PLAYERS_FOUND_MAX ? texts.moreThan(length) : texts.found(length);
}
