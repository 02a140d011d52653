export { DeleteByPasskey } from "./delete-by-passkey.tsx";
export { PasskeySignIn } from "./passkey-sign-in.tsx";
export { PasskeysPanel } from "./passkeys-panel.tsx";
