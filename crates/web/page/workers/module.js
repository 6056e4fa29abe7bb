// The WebAssembly module of the page: the rules, the session and the engine.

/** @typedef {(pointer: number, length: number) => void} TextSink A function that gets a text in the memory. */

/**
 * Functions of the script, as `crates/page_module/src/lib.rs` declares them.
 * @typedef {object} Script
 * @property {() => boolean} poll Whether to stop the search.
 * @property {(name: string) => Uint8Array | null} load Loads a file.
 * @property {(sentence: string) => void} failed
 * @property {(reply: string) => void} tell
 * @property {(message: string) => void} send
 * @property {(job: number, isGame: boolean, timeLimit: number, order: string) => void} start
 * @property {(job: number) => void} stop
 */

/**
 * Exports of the module.
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} input
 * @property {() => void} prepare
 * @property {() => void} install_clock
 * @property {() => number} install_weights
 * @property {(megabytes: number) => void} begin_workbench
 * @property {() => void} run
 * @property {(seed: number, studyLanes: number, megabytes: number, year: number, month: number, day: number) => void} begin_host
 * @property {(now: number) => void} receive
 * @property {(job: number, now: number) => void} reply
 * @property {(job: number, now: number) => void} cut
 * @property {(now: number) => void} tick
 * @property {() => number} next_tick
 */

/** Maximum hash table size of a player, in MB; a worker may have several. */
export const HASH = 32;

/**
 * The address of a file of the page.
 * @param {string} name
 */
export function address(name) {
  return new URL(`../${name}`, import.meta.url);
}

/**
 * Loads and compiles the module. It is stored compressed, because not every server compresses what it sends.
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiled() {
  const response = await fetch(address("engine.wasm.gzip"));
  if (!response.ok || !response.body) throw new Error(`engine.wasm.gzip: ${response.status} ${response.statusText}`);
  const plain = response.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(plain, { headers: { "content-type": "application/wasm" } }));
}

/** An instance of the module. */
export class Instance {
  /** @param {Exports} exports */
  constructor(exports) {
    this.exports = exports;
  }

  /**
   * Makes an instance; what the script does not supply is never asked for in its role.
   * @param {WebAssembly.Module} module
   * @param {Partial<Script>} script
   */
  static async of(module, script) {
    /** @type {Instance} */
    let made;
    /** @type {(pointer: number, length: number) => string} */
    const text = (pointer, length) =>
      new TextDecoder().decode(new Uint8Array(made.exports.memory.buffer, pointer, length));
    /** @type {(sink?: (text: string) => void) => TextSink} */
    const passing = (sink) => (pointer, length) => sink?.(text(pointer, length));
    const imports = {
      milliseconds: () => performance.now(),
      poll: () => (script.poll?.() ? 1 : 0),
      load: (/** @type {number} */ pointer, /** @type {number} */ length) => {
        const bytes = script.load?.(text(pointer, length));
        if (bytes) made.put(bytes);
        return bytes ? 1 : 0;
      },
      failed: passing(script.failed),
      tell: passing(script.tell),
      send: passing(script.send),
      /** @type {(job: number, isGame: number, timeLimit: number, pointer: number, length: number) => void} */
      start: (job, isGame, timeLimit, pointer, length) =>
        script.start?.(job, isGame !== 0, timeLimit, text(pointer, length)),
      stop: (/** @type {number} */ job) => script.stop?.(job),
    };
    const instance = await WebAssembly.instantiate(module, { script: imports });
    made = new Instance(/** @type {Exports} */ (/** @type {unknown} */ (instance.exports)));
    made.exports.prepare();
    made.exports.install_clock();
    return made;
  }

  /**
   * Puts a text or a file into the buffer that the next call reads.
   * @param {string | Uint8Array} content
   */
  put(content) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const pointer = this.exports.input(bytes.length);
    new Uint8Array(this.exports.memory.buffer, pointer, bytes.length).set(bytes);
  }
}
