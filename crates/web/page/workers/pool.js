// The workers that think, and their jobs.

/**
 * Files with which a worker begins.
 * @typedef {object} EngineFiles
 * @property {WebAssembly.Module} module
 * @property {ArrayBuffer | null} weights
 * @property {Int32Array | null} flag Set to stop a search, where the browser allows shared memory.
 */

/**
 * Message to a worker: its files, then orders. The replies to an order that is not heard are dropped.
 * @typedef {EngineFiles | { order: string, isHeard: boolean }} ToEngine
 */

/**
 * Message of a worker: a reply to its order, the end of the order, or the reason why it can do no more.
 * @typedef {{ reply: string } | { done: true } | { failure: string }} FromEngine
 */

/**
 * @typedef {object} Job
 * @property {number} number
 * @property {boolean} isGame Whether it needs the players of the game.
 * @property {number} timeLimit In milliseconds.
 * @property {string} order A line with the board and a line with the order, both JSON.
 * @property {boolean} hasReply Whether there was any reply.
 * @property {boolean} isUnwanted Whether it is to stop.
 * @property {number | undefined} timer
 */

/**
 * Receiver of what comes of the jobs.
 * @typedef {object} Listener
 * @property {(job: number, reply: string) => void} reply
 * @property {(job: number) => void} cut A job was ended by force.
 */

/** Grace period of a stopped search, in milliseconds. */
const GRACE = 1000;

/** A worker with its current job. */
class Bench {
  /** @type {Worker | null} */
  worker = null;
  /** @type {Job | null} */
  job = null;
  /** @type {Int32Array | null} */
  flag = crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
}

/** The workers, one of them for the players of the game. They start when they are needed, and again after a stop. */
export class Pool {
  /** The files of every worker, once they are there. @type {{ module: WebAssembly.Module, weights: ArrayBuffer | null } | null} */
  #files = null;
  /** @type {Job[]} */
  #waiting = [];
  #game = new Bench();
  /** @type {Bench[]} */
  #study;
  /** The players of the game, as the orders that seat them. @type {Map<string, { board: string, order: any }>} */
  #seats = new Map();
  /** @type {Listener} */
  #listener;

  /**
   * @param {number} studyLanes Number of workers besides that of the game.
   * @param {Listener} listener
   */
  constructor(studyLanes, listener) {
    this.#study = Array.from({ length: studyLanes }, () => new Bench());
    this.#listener = listener;
  }

  /**
   * Supplies the files of every worker.
   * @param {WebAssembly.Module} module
   * @param {ArrayBuffer | null} weights
   */
  supply(module, weights) {
    this.#files = { module, weights };
    // The first move of an engine comes soon.
    this.#wake(this.#game);
    this.#proceed();
  }

  /**
   * Does a job as soon as a worker is free.
   * @param {number} number
   * @param {boolean} isGame
   * @param {number} timeLimit
   * @param {string} order
   */
  start(number, isGame, timeLimit, order) {
    const job = { number, isGame, timeLimit, order, hasReply: false, isUnwanted: false, timer: undefined };
    this.#waiting.push(job);
    this.#proceed();
  }

  /**
   * Ends a job. Without shared memory, a worker that searches receives no message, so the worker is ended and another
   * one takes its place; a player gets the time to find a move first.
   * @param {number} number
   */
  stop(number) {
    const place = this.#waiting.findIndex((job) => job.number === number);
    if (place >= 0) {
      this.#waiting.splice(place, 1);
      this.#listener.cut(number);
      return;
    }
    const bench = [this.#game, ...this.#study].find((bench) => bench.job?.number === number);
    if (!bench?.job) return;
    if (bench.flag) Atomics.store(bench.flag, 0, 1);
    else if (bench === this.#game && !bench.job.hasReply) bench.job.isUnwanted = true;
    else return this.#cut(bench);
    clearTimeout(bench.job.timer);
    bench.job.timer = setTimeout(() => this.#cut(bench), GRACE);
  }

  /** Gives waiting jobs to free workers. */
  #proceed() {
    if (!this.#files) return;
    for (let place = 0; place < this.#waiting.length; ) {
      const job = this.#waiting[place];
      const bench = job.isGame ? this.#game : this.#study.find((bench) => !bench.job);
      if (!bench || bench.job) {
        place += 1;
        continue;
      }
      this.#waiting.splice(place, 1);
      bench.job = job;
      job.timer = setTimeout(() => this.stop(job.number), job.timeLimit);
      if (bench.flag) Atomics.store(bench.flag, 0, 0);
      this.#wake(bench);
      this.#post(bench, { order: job.order, isHeard: true });
    }
  }

  /**
   * Starts the worker of a bench if it has none; that of the game gets its players again.
   * @param {Bench} bench
   */
  #wake(bench) {
    if (bench.worker || !this.#files) return;
    const worker = new Worker(new URL("engine.js", import.meta.url), { type: "module" });
    bench.worker = worker;
    worker.addEventListener("message", ({ data }) => this.#hear(bench, data));
    worker.addEventListener("error", (event) => this.#hear(bench, { failure: event.message }));
    this.#post(bench, { ...this.#files, flag: bench.flag });
    if (bench !== this.#game) return;
    for (const seat of this.#seats.values()) this.#post(bench, { order: asText(seat), isHeard: false });
  }

  /**
   * @param {Bench} bench
   * @param {ToEngine} message
   */
  #post(bench, message) {
    bench.worker?.postMessage(message);
  }

  /**
   * @param {Bench} bench
   * @param {FromEngine} said
   */
  #hear(bench, said) {
    const { job } = bench;
    if ("reply" in said) {
      if (!job) return;
      job.hasReply = true;
      this.#listener.reply(job.number, said.reply);
      if (job.isUnwanted && bench.job === job) this.#cut(bench);
    } else if ("done" in said) {
      if (!job) return;
      clearTimeout(job.timer);
      bench.job = null;
      if (job.isGame) this.#remember(job.order);
      this.#proceed();
    } else {
      console.error(said.failure);
      this.#end(bench);
      if (job) this.#listener.cut(job.number);
      this.#proceed();
    }
  }

  /**
   * Ends the job of a bench by force. Another one is likely to come soon, so a worker is made ready.
   * @param {Bench} bench
   */
  #cut(bench) {
    const { job } = bench;
    this.#end(bench);
    this.#wake(bench);
    if (job) this.#listener.cut(job.number);
    this.#proceed();
  }

  /** @param {Bench} bench */
  #end(bench) {
    clearTimeout(bench.job?.timer);
    bench.worker?.terminate();
    bench.worker = null;
    bench.job = null;
  }

  /**
   * Notes the players of the game, for a worker that has to take over.
   * @param {string} text
   */
  #remember(text) {
    const [board, order] = text.split("\n").map((line) => JSON.parse(line));
    const [black, white] = ["black", "white"].map((color) => this.#seats.get(color));
    switch (order.kind) {
      case "seat":
        this.#seats.set(order.color, { board, order });
        break;
      case "unseat":
        this.#seats.delete(order.color);
        break;
      case "swap":
        this.#seats.clear();
        if (black) this.#seats.set("white", { board, order: { ...black.order, color: "white" } });
        if (white) this.#seats.set("black", { board, order: { ...white.order, color: "black" } });
        break;
    }
    // Players of another board are of no use.
    for (const [color, seat] of this.#seats) if (seat.board !== board) this.#seats.delete(color);
  }
}

/**
 * An order as text, as the host writes it.
 * @param {{ board: string, order: any }} order
 */
function asText({ board, order }) {
  return [board, order].map((line) => JSON.stringify(line)).join("\n");
}
