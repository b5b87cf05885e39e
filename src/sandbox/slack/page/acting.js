/** What a person does in the workspace, and how its blocks reach the sandbox. */
/** @import { Answer, Names, Place, Surface, View } from './types.d.ts' */
/** @import { Store } from './store.js' */
import { api } from './api.js';
import { asCommand } from './composer/outgoing.js';

/**
 * Everything here is done as the person shown at that moment, and what follows from it is read at once.
 * @param {{store: Store, names: Names, now: () => number, refresh: () => Promise<void>}} parts
 */
export function createActing({ store, names, now, refresh }) {
  /**
   * @template {Answer} A
   * @param {Promise<A>} answering
   */
  const followed = async (answering) => {
    const answer = await answering;
    void refresh();
    return answer;
  };

  /** @param {Place} place @returns {Surface} */
  const surfaceOf = (place) => ({
    place,
    names,
    now,
    get me() {
      const { me, world } = store.get();
      return world?.users.find(({ name }) => name === me)?.id ?? me;
    },
    get people() {
      return store.get().world?.users ?? [];
    },
    get channels() {
      return store.get().world?.channels ?? [];
    },
    upload: (file) => api.upload(store.get().me, file),
    act: (order) => followed(api.click({ user: store.get().me, ...whereIn(place), ...order })),
    suggest: (order) => api.suggest({ user: store.get().me, ...whereIn(place), ...order }),
  });

  /**
   * @param {string} line
   * @param {string | null} thread
   * @param {boolean} [broadcast] a reply that shall also stand in the channel
   * @returns {Promise<Answer & {what: string}>}
   */
  const send = async (line, thread, broadcast = false) => {
    const { me: user, channel } = store.get();
    const order = asCommand(line);
    if (order && thread !== null)
      return { ok: false, what: order.command, error: 'not_supported_in_threads' };
    if (order) return { ...(await followed(api.command({ user, channel, ...order }))), what: order.command };
    const reply = thread === null ? {} : { thread_ts: thread, ...(broadcast ? { broadcast } : {}) };
    const message = { user, channel, text: line, ...reply };
    return { ...(await followed(api.message(message))), what: 'The message' };
  };

  return {
    surfaceOf,
    send,
    join: () => {
      const { me: user, channel } = store.get();
      return followed(api.join({ user, channel }));
    },
    /** @param {'home' | 'messages'} tab */
    openApp: (tab) => followed(api.home({ user: store.get().me, tab })),
    /** @param {string} callback_id @param {string} [ts] the message, for the shortcuts of messages */
    shortcut(callback_id, ts) {
      const { me: user, channel } = store.get();
      return followed(api.shortcut({ user, callback_id, ...(ts === undefined ? {} : { channel, ts }) }));
    },
    /** @param {string} ts @param {string} name @param {boolean} remove takes the person's reaction back */
    react(ts, name, remove) {
      const { me: user, channel } = store.get();
      return followed(api.react({ user, channel, ts, name, remove }));
    },
    /** @param {View} view */
    viewSurface: (view) => surfaceOf({ channel: store.get().channel, ts: '', view_id: view.id }),
    /** @param {View} view @param {Record<string, Record<string, unknown>>} values */
    submit: (view, values) => followed(api.submit({ user: store.get().me, view_id: view.id, values })),
    /** @param {View} view */
    close: (view) => followed(api.close({ user: store.get().me, view_id: view.id })),
  };
}

/**
 * A view is named by its id alone; the channel only says where it was opened.
 * @param {Place} place
 */
const whereIn = ({ channel, ts, view_id }) => (view_id === undefined ? { channel, ts } : { view_id });

/** @typedef {ReturnType<typeof createActing>} Acting */
