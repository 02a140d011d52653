import type { StageMessage } from "#src/show/stage/schemas.ts";
import * as texts from "./stage-texts.ts";

const SHOWN = 2;

/** The newest messages of the chat. */
export function ChatHighlights({ messages }: { messages: readonly StageMessage[] }) {
  if (messages.length === 0) return null;
  return (
    <section className="heard">
      <h2 className="vh">{texts.chat}</h2>
      <ul>
        {messages.slice(-SHOWN).map(({ id, username, body }) => (
          <li key={id}>
            <b translate="no">{username}</b> <span dir="auto">{body}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
