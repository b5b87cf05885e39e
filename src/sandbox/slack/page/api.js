/** The only door to the outside: the sandbox's control interface on the same origin. */
/** @import { Act, Answer, BotHealth, Command, Conversation, Excerpt, JournalLine, Place, SharedFile, Shortcut, SubmitAnswer, Suggestions, View, World } from './types.d.ts' */

export const api = {
  /** @returns {Promise<World>} */
  state: () => call('GET', 'state'),

  /** @returns {Promise<Command[]>} */
  async commands() {
    const answer = await call('GET', 'commands');
    return Array.isArray(answer) ? answer : (answer.commands ?? []);
  },

  /** What the app offers in menus. @returns {Promise<Shortcut[]>} */
  async shortcuts() {
    const answer = await call('GET', 'shortcuts');
    return answer.shortcuts ?? [];
  },

  /**
   * @param {{channel: string, user: string, limit?: number, before?: string, after?: string, thread?: string, replies?: boolean, since?: number}} order
   * @returns {Promise<Excerpt>}
   */
  messages: (order) => call('GET', `messages?${queryOf(order)}`),

  /** @param {string} user @returns {Promise<Conversation[]>} */
  async conversations(user) {
    const answer = await call('GET', `conversations?${queryOf({ user })}`);
    return answer.conversations ?? [];
  },

  /**
   * @param {string} user
   * @returns {Promise<Answer & {modals?: View[], home?: View | null}>}
   */
  views: (user) => call('GET', `views?${new URLSearchParams({ user })}`),

  /**
   * @param {{user: string, channel: string, command: string, text: string}} order
   * @returns {Promise<Answer>}
   */
  command: (order) => call('POST', 'command', order),

  /**
   * @param {{user: string, channel: string, text: string, thread_ts?: string, broadcast?: boolean}} order
   * @returns {Promise<Answer>}
   */
  message: (order) => call('POST', 'message', order),

  /**
   * @param {{user: string} & Partial<Place> & Act} order
   * @returns {Promise<Answer>}
   */
  click: (order) => call('POST', 'click', order),

  /**
   * @param {{user: string, view_id: string, values: Record<string, Record<string, unknown>>}} order
   * @returns {Promise<SubmitAnswer>}
   */
  submit: (order) => call('POST', 'submit', order),

  /**
   * @param {{user: string, view_id: string}} order
   * @returns {Promise<Answer>}
   */
  close: (order) => call('POST', 'close', order),

  /**
   * @param {{user: string, action_id: string, block_id: string, value: string} & Partial<Place>} order
   * @returns {Promise<Suggestions>}
   */
  async suggest(order) {
    const answer = await call('POST', 'suggest', order);
    if (Array.isArray(answer)) return { options: answer };
    return { ...answer, options: answer.options ?? [] };
  },

  /**
   * A person's file, for a form.
   * @param {string} user
   * @param {File} file
   * @returns {Promise<Answer & {file?: SharedFile}>}
   */
  upload: (user, file) =>
    send('POST', `upload?${new URLSearchParams({ user, name: file.name })}`, { body: file }),

  /** @param {Record<string, unknown>} order */
  world: (order) => call('POST', 'world', order),
  /** @param {Record<string, unknown>} order */
  fault: (order) => call('POST', 'fault', order),
  repair: () => call('DELETE', 'fault'),
  /** @param {Record<string, unknown>} order */
  delivery: (order) => call('POST', 'delivery', order),
  /** @param {string} advance */
  clock: (advance) => call('POST', 'clock', { advance }),
  /** @param {Record<string, unknown>} order */
  bot: (order) => call('POST', 'bot', order),
  reset: () => call('POST', 'reset', {}),

  /** Tells the bot that a person has come to it. @param {{user: string, tab: string}} order @returns {Promise<Answer>} */
  home: (order) => call('POST', 'home', order),
  /** @param {{user: string, callback_id: string, channel?: string, ts?: string}} order @returns {Promise<Answer>} */
  shortcut: (order) => call('POST', 'shortcut', order),
  /** @param {{user: string, channel: string, ts: string, name: string, remove: boolean}} order @returns {Promise<Answer>} */
  react: (order) => call('POST', 'react', order),
  /** @param {{user: string, channel: string}} order @returns {Promise<Answer>} */
  join: (order) => call('POST', 'join', order),
  /** @param {{user: string, people: readonly string[]}} order @returns {Promise<Answer & {channel?: string}>} */
  open: (order) => call('POST', 'open', order),

  /** @param {string} part @returns {Promise<{value: string, label: string}[]>} */
  async devices(part) {
    const answer = await call('GET', `devices?${queryOf({ q: part })}`);
    return answer.devices ?? [];
  },
  /** @returns {Promise<BotHealth>} */
  health: () => call('GET', 'bot'),
  /** The newest requests of the bot. @param {number} last @returns {Promise<{requests?: JournalLine[]}>} */
  journal: (last) => call('GET', `journal?${queryOf({ last })}`),
  /** Where a file is downloaded. @param {string} user @param {string} id */
  fileAddress: (user, id) => `/sandbox/file?${queryOf({ user, id })}`,
};

/** @param {Readonly<Record<string, string | number | boolean>>} order */
const queryOf = (order) =>
  new URLSearchParams(Object.entries(order).map(([name, value]) => [name, String(value)])).toString();

/**
 * An answer that is not what was promised becomes `{ok: false}`, so that no caller has to catch.
 *
 * The answer's shape is the control interface's promise; both sides are of one repository and one version.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
const call = (method, path, body) =>
  send(
    method,
    path,
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );

/**
 * @param {string} method
 * @param {string} path
 * @param {RequestInit} content
 */
async function send(method, path, content) {
  try {
    const response = await fetch(`/sandbox/${path}`, { method, ...content });
    return await response.json();
  } catch {
    return { ok: false, error: 'sandbox_unreachable' };
  }
}
