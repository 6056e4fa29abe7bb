// Keeps all files of the page in the browser, so that it opens offline. `cargo xtask web` puts the list of files in front.

/** @type {ServiceWorkerGlobalScope} */
// @ts-expect-error TypeScript takes every file for that of a dedicated worker.
const worker = self;

const PREFIX = "emilia-";
const CACHE = PREFIX + VERSION;

/**
 * Under which name a file is kept: one that has not changed is taken over from the last version.
 * @param {string} file
 */
const key = (file) => new Request(new URL(`${file}?${FILES[file]}`, worker.registration.scope));

/**
 * Loads a file and compares it with the list, so that the files of two versions never mix.
 * @param {string} file
 */
async function load(file) {
  const address = new URL(file, worker.registration.scope);
  const integrity = `sha256-${FILES[file]}`;
  try {
    // The page has just loaded most of them.
    return await fetch(address, { integrity });
  } catch {
    return fetch(address, { integrity, cache: "reload" });
  }
}

/** Keeps every file, or fails: then the last version stays in use. */
async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    Object.keys(FILES).map(async (file) => {
      const kept = await caches.match(key(file));
      const response = kept ?? (await load(file));
      if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
      await cache.put(key(file), response);
    }),
  );
}

/** Forgets other versions, and serves pages that were opened before this one was there. */
async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * The file that a request is for, if it is one of the page.
 * @param {Request} request
 */
function fileOf(request) {
  const address = request.url.replace(/[?#].*$/, "");
  if (request.method !== "GET" || !address.startsWith(worker.registration.scope)) return null;
  const file = address.slice(worker.registration.scope.length) || "index.html";
  return Object.hasOwn(FILES, file) ? file : null;
}

/** Headers that let the page share memory with its workers, so that a search can be stopped without ending its worker. */
const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/**
 * @param {string} file
 * @param {Request} request
 */
async function answer(file, request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(key(file));
  if (!kept) return fetch(request);
  const headers = new Headers(kept.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(kept.body, { headers });
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const file = fileOf(event.request);
  if (file) event.respondWith(answer(file, event.request));
});
