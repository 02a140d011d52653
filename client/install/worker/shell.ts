/** What the build puts into the worker (client/build/build-worker.ts), at this one place. */
declare const SHELL: {
  /** Changes with the files and the page. */
  version: string;
  /** The addresses of the files that every page needs. */
  files: readonly string[];
  /** The page that is shown without a network, and its content security policy. */
  offlinePage: string;
  offlinePolicy: string;
  /** The addresses of the icons of messages. */
  icon: string;
  badge: string;
};

export const shell = SHELL;
