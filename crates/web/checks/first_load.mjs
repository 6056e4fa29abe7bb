// How long the static page takes from a cold load to the first possible move, and to answer at level 10, in Chromium.
//
//   cargo xtask web && node crates/web/checks/first_load.mjs target/web

import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const folder = process.argv[2] ?? "target/web";
const RUNS = 3;
const DRIVER_PORT = 9517;
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml" };
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Runs in the page: plays up to 25 moves against level 10, and tells how long the answers took. */
const PLAY = `
  const done = arguments[0];
  import("./app.js").then(async ({ app, send }) => {
    const until = (holds) => new Promise((go) => { const look = () => holds() ? go() : setTimeout(look, 5); look(); });
    const tell = (event) => send({ type: "event", event });
    tell({ event: "seat", color: "white", player: "emilia", level: 10 });
    await until(() => app.shown.view.seats[1].level === 10);
    const waits = [];
    while (app.shown.view.legal_moves.length > 0 && waits.length < 25) {
      const { legal_moves: moves, move_count: count } = app.shown.view;
      const start = performance.now();
      tell({ event: "play", square: moves[waits.length % moves.length].square });
      await until(() => {
        const view = app.shown.view;
        return view.move_count > count && (view.result || (view.turn === "black" && !view.is_thinking));
      });
      waits.push(performance.now() - start);
    }
    done(waits.sort((one, other) => one - other));
  });`;

const FIRST_MOVE = `
  const done = arguments[0];
  const look = () => document.querySelector(".legal") ? done(performance.now()) : setTimeout(look, 5);
  look();`;

const server = createServer(async (request, answer) => {
  const path = normalize(new URL(request.url, "http://page").pathname);
  try {
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const content = await readFile(file);
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(content);
  } catch {
    answer.writeHead(404).end();
  }
});
await new Promise((go) => server.listen(0, "127.0.0.1", go));
const url = `http://127.0.0.1:${server.address().port}/`;
const driver = spawn("chromedriver", [`--port=${DRIVER_PORT}`], { stdio: "ignore" });
await new Promise((go) => setTimeout(go, 1000));

async function ask(method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${DRIVER_PORT}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await answer.json();
  if (value?.error) throw new Error(value.message);
  return value;
}

try {
  for (let run = 1; run <= RUNS; run += 1) {
    const profile = join(tmpdir(), `emilia-first-load-${process.pid}-${run}`);
    const options = { args: [...FLAGS, `--user-data-dir=${profile}`] };
    const { sessionId } = await ask("POST", "/session", {
      capabilities: { alwaysMatch: { "goog:chromeOptions": options, timeouts: { script: 300000 } } },
    });
    const session = `/session/${sessionId}`;
    await ask("POST", `${session}/url`, { url });
    const first = await ask("POST", `${session}/execute/async`, { script: FIRST_MOVE, args: [] });
    const waits = await ask("POST", `${session}/execute/async`, { script: PLAY, args: [] });
    const [median, slowest] = [waits[waits.length >> 1], waits.at(-1)].map(Math.round);
    console.log(`first move possible after ${Math.round(first)} ms; level 10: median ${median} ms, slowest ${slowest} ms`);
    await ask("DELETE", session);
    await rm(profile, { recursive: true, force: true });
  }
} finally {
  driver.kill();
  server.close();
}
