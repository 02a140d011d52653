// Modules that the entry loads before any screen is fetched. The bundler makes one chunk per set of modules that the same
// screens share. Every chunk of screens imports this file, so all these modules end up in one chunk, which compresses better
// than five.
import "./cable.ts";
import "./calls/call-pill.tsx";
import "./calls/use-live-reload.ts";
import "./clock.ts";
import "./deferred/deferred.ts";
import "./stream-follower.ts";
import "./frame/error-box.tsx";
import "./frame/use-here.ts";
import "./guard.ts";
import "./guest/play-as-guest-form.tsx";
import "./handle.ts";
import "./leaderboard/refetch-delay.ts";
import "./live-messages.tsx";
import "./navigation.ts";
import "./notifications/notifications-store.ts";
import "./single-flight.ts";
import "./sessions/load-session.ts";
import "./connection.ts";
import "./ui/clock-face.tsx";
import "./ui/countdown.ts";
import "./ui/mark.tsx";
import "./ui/pool-bar.tsx";
import "./ui/toast.tsx";
import "./users/viewer-avatar.ts";
import "./wallet/balance-chip.tsx";
import "./wallet/top-up.tsx";
import "./wallet/wallet-state.tsx";
import "./use-live-session.ts";
import "./use-polling.ts";
