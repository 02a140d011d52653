import { Outlet, useLoaderData } from "react-router";
import type { FrameData } from "#client/base/page/load-frame.ts";
import { LiveMessages } from "#client/results/live-messages.tsx";
import { WalletProvider } from "#client/wallet/wallet-state.tsx";
import { ErrorScreen } from "./frame/error-screen.tsx";
import { Frame } from "./frame/frame.tsx";

/** The root of the app: the providers that every screen uses, and the frame around it. */
export function App() {
  const { wallet } = useLoaderData<FrameData>();
  return (
    <WalletProvider loaded={wallet}>
      <LiveMessages />
      <Frame>
        <Outlet />
      </Frame>
    </WalletProvider>
  );
}

/** The root when the frame's own data could not be loaded: shows the error, without a balance. */
export function AppWithoutData() {
  return (
    <WalletProvider loaded={null}>
      <Frame>
        <ErrorScreen />
      </Frame>
    </WalletProvider>
  );
}
