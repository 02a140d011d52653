import { useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import { useApi } from "#client/base/page/context.ts";
import { Note } from "#client/ui/note.tsx";
import type { MessageView } from "#src/play/chat/schemas.ts";
import * as texts from "../texts/health-texts.ts";
import { TakeNameAway } from "./take-name-away.tsx";
import type { Waiting } from "./use-waiting.ts";

/** The chat messages that wait for a host before they are on the big screen: each is let there, or removed, by a click. */
export function Approvals({ waiting }: { waiting: Waiting }) {
  const api = useApi();
  const [failed, setFailed] = useState(false);
  if (waiting === null) return null;
  const { messages, refetch } = waiting;
  const act = (perform: (of: Api) => Promise<unknown>) => {
    perform(api)
      .then(
        () => setFailed(false),
        () => setFailed(true),
      )
      .finally(refetch);
  };
  return (
    <section className="panel approvals" aria-label={texts.chatForScreen}>
      <header>
        <h2>{texts.chatForScreen}</h2>
        <span className="push small ink2 num">{texts.waiting(messages.length)}</span>
      </header>
      {failed ? <Note tone="bad">{texts.approvalFailed}</Note> : null}
      {messages.length === 0 ? null : (
        <ul>
          {messages.map((message) => (
            <WaitingRow key={message.id} message={message} act={act} refetch={refetch} />
          ))}
        </ul>
      )}
    </section>
  );
}

type RowProps = {
  message: MessageView;
  act: (perform: (of: Api) => Promise<unknown>) => void;
  refetch: () => void;
};

function WaitingRow({ message: { id, userId, username, body }, act, refetch }: RowProps) {
  return (
    <li>
      <p className="wrap-anywhere">
        <b translate="no">{username}</b> <span>{body}</span>
      </p>
      <p className="row wrap">
        <button
          className="btn sm primary"
          type="button"
          aria-label={texts.showMessageOf(username)}
          onClick={() => act((api) => api.put(`/api/v1/messages/${id}/approve`))}
        >
          {texts.showOnScreen}
        </button>
        <button
          className="btn sm bad"
          type="button"
          aria-label={texts.removeMessageOf(username)}
          onClick={() => act((api) => api.delete(`/api/v1/messages/${id}`))}
        >
          {texts.removeMessage}
        </button>
        <TakeNameAway user={{ id: userId, username }} onDone={refetch} />
      </p>
    </li>
  );
}
