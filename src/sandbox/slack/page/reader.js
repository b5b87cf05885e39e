/** Reads what a person sees, as often as something changes, and never more than once at a time. */
/** @import { Message } from './types.d.ts' */
/** @import { Store } from './store.js' */
import { api } from './api.js';
import { tsToMs } from './dates.js';

/** Other channels are only read for their unread marks, which may come a little later. */
const ELSEWHERE_MS = 700;

/**
 * @param {{store: Store, clock: {set: (clock: number | string) => void, now: () => number}, names: {learn: Function, meet: Function}}} parts
 */
export function createReader({ store, clock, names }) {
  /** What was last read, so that a channel opens at once. @type {Map<string, readonly Message[]>} */
  const known = new Map();
  const unread = createUnread(clock);
  const key = (/** @type {string} */ me, /** @type {string} */ channel) => `${me}/${channel}`;

  const readWorld = async () => {
    const world = await api.state();
    if (!Array.isArray(world.users)) return;
    clock.set(world.clock);
    unread.begin();
    names.learn(world);
    store.set({ world });
  };

  /** @param {string} me @param {string} channel */
  const readChannel = async (me, channel) => {
    const { messages, error } = await api.messages(channel, me);
    if (messages) {
      known.set(key(me, channel), messages);
      names.meet(messages);
    }
    return { messages: messages ?? [], problem: messages ? null : (error ?? 'unknown_error') };
  };

  const readOpen = async () => {
    const { me, channel } = store.get();
    if (me === '' || channel === '') return;
    const [read, views] = await Promise.all([readChannel(me, channel), api.views(me)]);
    const state = store.get();
    if (state.me !== me || state.channel !== channel) return;
    unread.saw(me, channel, read.messages);
    store.set({ ...read, modals: views.modals ?? [] });
  };

  const readElsewhere = async () => {
    const { me, channel, world } = store.get();
    /** @type {Set<string>} */
    const marks = new Set();
    for (const name of [...(world?.channels.map((each) => each.name) ?? []), `@${me}`]) {
      if (name === channel) continue;
      const { messages } = await readChannel(me, name);
      if (unread.isUnread(me, name, messages)) marks.add(name);
    }
    if (store.get().me === me) store.set({ unread: marks });
  };

  const elsewhere = after(ELSEWHERE_MS, once(readElsewhere));
  const refresh = once(async () => {
    await Promise.all([readWorld(), readOpen()]);
    elsewhere();
  });
  return {
    refresh,
    /** Only what is outside the channels. */
    refreshWorld: once(readWorld),
    /** The channel as last seen, until it is read again. @param {string} me @param {string} channel */
    remembered: (me, channel) => known.get(key(me, channel)) ?? null,
    forget: () => known.clear(),
  };
}

/**
 * What each person has seen of each channel. What was there before the page was opened counts as seen.
 * @param {{now: () => number}} clock
 */
function createUnread(clock) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  /** @type {number | null} */
  let start = null;
  const last = (/** @type {readonly Message[]} */ messages) => tsToMs(messages.at(-1)?.ts ?? '0');
  return {
    begin() {
      start ??= clock.now();
    },
    /** @param {string} me @param {string} channel @param {readonly Message[]} messages */
    saw: (me, channel, messages) => void seen.set(`${me}/${channel}`, last(messages)),
    /** @param {string} me @param {string} channel @param {readonly Message[]} messages */
    isUnread: (me, channel, messages) => last(messages) > (seen.get(`${me}/${channel}`) ?? start ?? 0),
  };
}

/**
 * Runs `work` now, or once more after the run under way, however often it is asked meanwhile.
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>}
 */
function once(work) {
  /** @type {Promise<void> | null} */
  let running = null;
  /** @type {Promise<void> | null} */
  let next = null;
  const run = () => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running.then(() => {
      next = null;
      return run();
    });
    return next;
  };
}

/**
 * Runs `work` a while after it was first asked for.
 * @param {number} ms
 * @param {() => Promise<void>} work
 */
function after(ms, work) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      void work();
    }, ms);
  };
}
