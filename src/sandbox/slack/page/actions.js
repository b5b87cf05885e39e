/** Actions of a person in the workspace, and how blocks send theirs to the sandbox. */
/** @import { ControlAnswer, Names, SurfaceLocation, RenderContext, SlackView } from './types.d.ts' */
/** @import { PageStore } from './state/store.js' */

import { parseSlashCommand } from './composer/command-completion.js';
import { api } from './state/api.js';

/**
 * Everything is done as the current person, and the result is read at once.
 * @param {{store: PageStore, names: Names, now: () => number, refresh: () => Promise<void>}} parts
 */
export function createActions({ store, names, now, refresh }) {
  /**
   * @template {ControlAnswer} A
   * @param {Promise<A>} answering
   */
  const followed = async (answering) => {
    const answer = await answering;
    void refresh();
    return answer;
  };

  /** @param {SurfaceLocation} location @returns {RenderContext} */
  const surfaceOf = (location) => ({
    location,
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
    dispatchAction: (request) =>
      followed(api.click({ user: store.get().me, ...whereIn(location), ...request })),
    suggest: (request) => api.suggest({ user: store.get().me, ...whereIn(location), ...request }),
  });

  /**
   * Sends a line as a message or a slash command. `broadcast`: also show the reply in the channel.
   * @param {string} line
   * @param {string | null} thread
   * @param {boolean} [broadcast] a reply that shall also stand in the channel
   * @returns {Promise<ControlAnswer & {what: string}>}
   */
  const send = async (line, thread, broadcast = false) => {
    const { me: user, channel } = store.get();
    const request = parseSlashCommand(line);
    if (request && thread !== null)
      return { ok: false, what: request.command, error: 'not_supported_in_threads' };
    if (request)
      return { ...(await followed(api.command({ user, channel, ...request }))), what: request.command };
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
    /** @param {SlackView} view */
    viewSurface: (view) => surfaceOf({ channel: store.get().channel, ts: '', view_id: view.id }),
    /** @param {SlackView} view @param {Record<string, Record<string, unknown>>} values */
    submit: (view, values) => followed(api.submit({ user: store.get().me, view_id: view.id, values })),
    /** @param {SlackView} view */
    close: (view) => followed(api.close({ user: store.get().me, view_id: view.id })),
  };
}

/**
 * A view is identified by its id alone; the channel only says where it was opened.
 * @param {SurfaceLocation} place
 */
const whereIn = ({ channel, ts, view_id }) => (view_id === undefined ? { channel, ts } : { view_id });

/** @typedef {ReturnType<typeof createActions>} Actions */
