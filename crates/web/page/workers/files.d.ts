/** What `cargo xtask web` puts in front of the service worker. */

/** Names the version of all files together. */
declare const VERSION: string;
/** The files with the SHA-256 of each, in Base64. */
declare const FILES: Record<string, string>;
