// What the bundler of the pocket page writes before its service worker.
declare const VERSION: string;
declare const FILES: [string, string][];
