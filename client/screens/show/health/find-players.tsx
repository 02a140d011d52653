import { useEffect, useRef, useState } from "react";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { PLAYERS_FOUND_MAX } from "#src/operate/health/contract.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";
import { PlayerRow } from "./player-row.tsx";

/** A search begins when nothing was typed for so long. */
const TYPED_MS = 300;
const SEARCH_LENGTH_MAX = 254;

type Search = { text: string; players: readonly FoundPlayer[] | null; failed: boolean };

/** Finds a player by a part of the name or the email: the wallet, and the newest calls in this session. */
export function FindPlayers() {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // What was typed before the scripts had arrived. The field keeps it: it has no value of React's.
  useEffect(() => setText(field.current?.value ?? ""), []);
  const [asked, setAsked] = useState(0);
  const search = useSearch(text.trim(), asked);
  return (
    <search className="panel find-players" aria-label={texts.players}>
      <input
        className="input sm"
        type="search"
        ref={field}
        aria-label={texts.findPlayer}
        placeholder={texts.findHint}
        autoComplete="off"
        maxLength={SEARCH_LENGTH_MAX}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p className="small ink2" role="status">
        {statusOf(text.trim(), search)}
      </p>
      {search?.players == null || search.players.length === 0 ? null : (
        <ul aria-label={texts.players}>
          {search.players.map((player) => (
            <PlayerRow key={player.id} player={player} onRenamed={() => setAsked((times) => times + 1)} />
          ))}
        </ul>
      )}
    </search>
  );
}

/**
 * @param asked another number asks again.
 * @returns the newest search; null without a text.
 */
function useSearch(text: string, asked: number): Search | null {
  const { session } = useShow();
  const api = useApi();
  const [search, setSearch] = useState<Search | null>(null);
  const { slug } = session;
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
  }, [api, slug, text, asked]);
  return text === "" ? null : search;
}

function statusOf(text: string, search: Search | null): string {
  if (text === "") return "";
  if (search?.text !== text) return texts.searching;
  if (search.failed || search.players === null) return texts.searchFailed;
  const { length } = search.players;
  return length === PLAYERS_FOUND_MAX ? texts.moreThan(length) : texts.found(length);
}
