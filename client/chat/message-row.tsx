import type { MessageView } from "#src/chat/schemas.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Moment } from "../ui/time.tsx";
import { ManageMessage } from "./manage-message.tsx";

/** One message: who, when, and what. Of one that was removed the place stays. */
export function MessageRow({
  message,
  mine,
  admin,
}: {
  message: MessageView;
  mine: boolean;
  admin: boolean;
}) {
  const { username, avatar, body, createdAt, deletedAt } = message;
  return (
    <li className={mine ? "said own" : "said"}>
      <Avatar name={username} avatar={avatar} />
      <div className="said-by">
        <p className="small">
          <b className="wrap-anywhere">{mine ? `${username} (you)` : username}</b>{" "}
          <span className="tiny muted">
            <Moment at={createdAt} />
          </span>
        </p>
        {deletedAt === null ? <p className="said-text">{body}</p> : <p className="muted">Removed</p>}
        {admin && deletedAt === null ? <ManageMessage message={message} mine={mine} /> : null}
      </div>
    </li>
  );
}
