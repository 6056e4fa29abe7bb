// Runs the engine of the static page under Node, and prints the signature and the speed of its search.
// usage: node engine.mjs MODULE DATA

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [modulePath, dataPath] = process.argv.slice(2);

/** How long a search is to take in milliseconds: by the poll hook, then by the clock. */
const TIME = 100;
/** A machine that does other things may be late, but a search that does not end takes minutes. */
const LATEST = 5000;

const module = await WebAssembly.compile(readFileSync(modulePath));

/** An instance of the module, with what it has told and which files it has loaded. */
async function prepared() {
  const made = { told: [], loaded: [], failure: "", firstPoll: undefined, exports: undefined };
  const text = (pointer, length) =>
    new TextDecoder().decode(new Uint8Array(made.exports.memory.buffer, pointer, length));
  const unused = () => assert.fail("a workbench calls no function of a host");
  const script = {
    milliseconds: () => performance.now(),
    poll: () => {
      made.firstPoll ??= performance.now();
      return performance.now() - made.firstPoll >= TIME ? 1 : 0;
    },
    load: (pointer, length) => {
      const name = text(pointer, length);
      made.loaded.push(name);
      put(made, readFileSync(tables(name)));
      return 1;
    },
    failed: (pointer, length) => (made.failure = text(pointer, length)),
    tell: (pointer, length) => made.told.push(text(pointer, length)),
    send: unused,
    start: unused,
    stop: unused,
  };
  made.exports = (await WebAssembly.instantiate(module, { script })).exports;
  made.exports.prepare();
  return made;
}

/** The path of the tables of a program, which are in its folder. */
function tables(name) {
  const classics = join(dataPath, "..", "classics");
  const paths = readdirSync(classics).map((program) => join(classics, program, "data", name));
  return paths.find((path) => existsSync(path)) ?? assert.fail(`no program has ${name}`);
}

/** Puts bytes into the buffer of an instance. */
function put(instance, bytes) {
  const pointer = instance.exports.input(bytes.length);
  new Uint8Array(instance.exports.memory.buffer, pointer, bytes.length).set(bytes);
}

/** Calls a check; its number, or an error with its sentence. */
function check(instance, name, ...values) {
  const number = instance.exports[name](...values);
  if (number < 0) throw new Error(`${name}: ${instance.failure}`);
  return number;
}

/** A check that must search, and come to its end. */
function endsSoon(instance, name, ...values) {
  const start = performance.now();
  assert(check(instance, name, ...values) > 0, `${name}(${values}) searched nothing`);
  const taken = performance.now() - start;
  assert(taken < LATEST, `${name}(${values}) took ${taken} ms; expected about ${TIME}`);
}

/** Carries out an order; returns its last reply. */
function run(instance, board, order) {
  put(instance, Buffer.from(`${JSON.stringify(board)}\n${JSON.stringify(order)}`));
  instance.told = [];
  instance.exports.run();
  return JSON.parse(instance.told.at(-1));
}

const engine = await prepared();
const players = check(engine, "refusals");
console.log(`time limits without a clock: refused by ${players} players`);
assert(players >= 7);
assert.equal(new Set(engine.loaded).size, engine.loaded.length, "tables are loaded once");
console.log(`tables loaded when a program needs them: ${engine.loaded.join(", ")}`);

assert.equal(check(engine, "nodes_with_threads", 4), check(engine, "nodes_with_threads", 1));
console.log("a search with four threads: the same as with one");

for (let player = 0; player < players; player++) {
  engine.firstPoll = undefined;
  endsSoon(engine, "nodes_until_stopped", player);
}
console.log(`a poll hook: stops ${players} players`);

engine.exports.install_clock();
for (let player = 0; player < players; player++) endsSoon(engine, "nodes_in_time", player, TIME);
console.log(`time limits with a clock: obeyed by ${players} players`);

engine.exports.begin_workbench(16);
const seat = (player) => ({ kind: "seat", color: "black", seating: { notation: player, level: 1 }, seed: 1 });
const withoutWeights = run(engine, "8x8", seat("emilia"));
assert.match(withoutWeights.reason, /weights .* not loaded/);
assert.equal(run(engine, "6x6", seat("emilia")).name, "emilia");
assert.match(run(engine, "8x8", seat("gtp:edax")).reason, /cannot be started in a browser/);
console.log("without weights: Emilia plays on 6x6, and says why not on 8x8");

const beginning = performance.now();
put(engine, readFileSync(join(dataPath, "weights.bin.zst")));
assert.equal(engine.exports.install_weights(), 1, engine.failure);
console.log(`weights: installed in ${(performance.now() - beginning).toFixed(0)} ms`);
assert.equal(run(engine, "8x8", seat("emilia")).name, "emilia");

let nodes = 0;
let seconds = 0;
for (const [half, name] of ["midgame", "endgame"].entries()) {
  engine.told = [];
  const halfNodes = check(engine, "bench", half);
  const halfSeconds = Number(engine.told[0]);
  console.log(`${name}: ${speed(halfNodes, halfSeconds)}`);
  nodes += halfNodes;
  seconds += halfSeconds;
}
console.log(`all: ${speed(nodes, seconds)}`);
console.log(`Bench: ${nodes}`);

function speed(nodes, seconds) {
  return `${nodes} nodes in ${seconds.toFixed(2)} s, ${(nodes / seconds / 1e6).toFixed(2)} M nodes/s`;
}
