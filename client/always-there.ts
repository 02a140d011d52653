// What the entry has loaded before any screen is fetched. The bundler makes a chunk of its own for each set of modules that the
// same screens share; since all of them import these, they come in one chunk, which compresses better than five.
import "./cable.ts";
import "./calls/call-pill.tsx";
import "./clock.ts";
import "./following.ts";
import "./frame/use-here.ts";
import "./guard.ts";
import "./guest/play-as-guest-form.tsx";
import "./handle.ts";
import "./leaderboard/wait-to-look.ts";
import "./live-messages.tsx";
import "./navigation.ts";
import "./notifications/known-notifications.ts";
import "./one-at-a-time.ts";
import "./sessions/load-session.ts";
import "./sync.ts";
import "./ui/clock-face.tsx";
import "./ui/countdown.ts";
import "./ui/mark.tsx";
import "./ui/pool-bar.tsx";
import "./ui/toast.tsx";
import "./users/own-avatar.ts";
import "./wallet/balance-chip.tsx";
import "./wallet/top-up.tsx";
import "./wallet/wallet-state.tsx";
