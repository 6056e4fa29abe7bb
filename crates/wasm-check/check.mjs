// Runs the module of crates/wasm-check under Node and prints the signature of the search.
// usage: node check.mjs MODULE WEIGHTS

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [modulePath, weightsPath] = process.argv.slice(2);
const FAILED = 2n ** 64n - 1n;

/** How long a search is to take: by the poll hook, then by the clock. */
const TIME = 100;
/** A machine that does other things may be late, but a search that does not end takes minutes. */
const LATEST = 5000;

let firstPoll;
const host = {
  milliseconds: () => performance.now(),
  poll: () => {
    firstPoll ??= performance.now();
    return performance.now() - firstPoll >= TIME ? 1 : 0;
  },
};
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), { host });
const engine = instance.exports;

/** Calls a check; its number, or an error with its sentence. */
function check(name, ...values) {
  const number = BigInt.asUintN(64, engine[name](...values));
  if (number !== FAILED) return number;
  const bytes = [];
  for (let byte; (byte = engine.failure_byte(bytes.length)) >= 0; ) bytes.push(byte);
  throw new Error(`${name}: ${Buffer.from(bytes).toString()}`);
}

/** A check that must search, and come to its end. */
function endsSoon(name, ...values) {
  const start = performance.now();
  assert(check(name, ...values) > 0n, `${name}(${values}) searched nothing`);
  const taken = performance.now() - start;
  assert(taken < LATEST, `${name}(${values}) took ${taken} ms; expected about ${TIME}`);
}

const players = Number(check("refusals"));
console.log(`time limits without a clock: refused by ${players} players`);
assert(players >= 7);

assert.equal(check("nodes_with_threads", 4), check("nodes_with_threads", 1));
console.log("a search with four threads: the same as with one");

for (let player = 0; player < players; player++) {
  firstPoll = undefined;
  endsSoon("nodes_until_stopped", player);
}
console.log(`a poll hook: stops ${players} players`);

engine.install_clock();
for (let player = 0; player < players; player++) endsSoon("nodes_in_time", player, TIME);
console.log(`time limits with a clock: obeyed by ${players} players`);

for (const byte of readFileSync(weightsPath)) engine.add_weight_byte(byte);
const start = performance.now();
const nodes = check("signature");
const seconds = (performance.now() - start) / 1000;
console.log(`${nodes} nodes in ${seconds.toFixed(1)} s, ${(Number(nodes) / seconds / 1e6).toFixed(1)} M nodes/s`);
console.log(`Bench: ${nodes}`);
