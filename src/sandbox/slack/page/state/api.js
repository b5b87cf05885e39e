/** The only access to the outside: the sandbox's control interface on the same origin. */
/** @import { ActionInput, ControlAnswer, ProcessHealth, ManifestCommand, Conversation, Excerpt, JournalLine, SurfaceLocation, SharedFile, Shortcut, SubmitAnswer, Suggestions, SlackView, SandboxState } from '../types.d.ts' */

export const api = {
  /** @returns {Promise<SandboxState>} */
  state: () => call('GET', 'state'),

  /** @returns {Promise<ManifestCommand[]>} */
  async commands() {
    const answer = await call('GET', 'commands');
    return Array.isArray(answer) ? answer : (answer.commands ?? []);
  },

  /** The app's shortcuts. @returns {Promise<Shortcut[]>} */
  async shortcuts() {
    const answer = await call('GET', 'shortcuts');
    return answer.shortcuts ?? [];
  },

  /**
   * @param {{channel: string, user: string, limit?: number, before?: string, after?: string, thread?: string, replies?: boolean, since?: number}} input
   * @returns {Promise<Excerpt>}
   */
  messages: (input) => call('GET', `messages?${queryOf(input)}`),

  /** @param {string} user @returns {Promise<Conversation[]>} */
  async conversations(user) {
    const answer = await call('GET', `conversations?${queryOf({ user })}`);
    return answer.conversations ?? [];
  },

  /**
   * @param {string} user
   * @returns {Promise<ControlAnswer & {modals?: SlackView[], home?: SlackView | null}>}
   */
  views: (user) => call('GET', `views?${new URLSearchParams({ user })}`),

  /**
   * @param {{user: string, channel: string, command: string, text: string}} input
   * @returns {Promise<ControlAnswer>}
   */
  command: (input) => call('POST', 'command', input),

  /**
   * @param {{user: string, channel: string, text: string, thread_ts?: string, broadcast?: boolean}} input
   * @returns {Promise<ControlAnswer>}
   */
  message: (input) => call('POST', 'message', input),

  /**
   * @param {{user: string} & Partial<SurfaceLocation> & ActionInput} input
   * @returns {Promise<ControlAnswer>}
   */
  click: (input) => call('POST', 'click', input),

  /**
   * @param {{user: string, view_id: string, values: Record<string, Record<string, unknown>>}} input
   * @returns {Promise<SubmitAnswer>}
   */
  submit: (input) => call('POST', 'submit', input),

  /**
   * @param {{user: string, view_id: string}} input
   * @returns {Promise<ControlAnswer>}
   */
  close: (input) => call('POST', 'close', input),

  /**
   * @param {{user: string, action_id: string, block_id: string, value: string} & Partial<SurfaceLocation>} input
   * @returns {Promise<Suggestions>}
   */
  async suggest(input) {
    const answer = await call('POST', 'suggest', input);
    if (Array.isArray(answer)) return { options: answer };
    return { ...answer, options: answer.options ?? [] };
  },

  /**
   * Uploads a person's file for a form.
   * @param {string} user
   * @param {File} file
   * @returns {Promise<ControlAnswer & {file?: SharedFile}>}
   */
  upload: (user, file) =>
    send('POST', `upload?${new URLSearchParams({ user, name: file.name })}`, { body: file }),

  /** @param {Record<string, unknown>} input */
  world: (input) => call('POST', 'world', input),
  /** @param {Record<string, unknown>} input */
  fault: (input) => call('POST', 'fault', input),
  repair: () => call('DELETE', 'fault'),
  /** @param {Record<string, unknown>} input */
  delivery: (input) => call('POST', 'delivery', input),
  /** @param {string} advance */
  clock: (advance) => call('POST', 'clock', { advance }),
  /** @param {Record<string, unknown>} input */
  bot: (input) => call('POST', 'bot', input),
  reset: () => call('POST', 'reset', {}),

  /**
   * Sends the bot the event of a person who opens it.
   * @param {{user: string, tab: string}} input
   * @returns {Promise<ControlAnswer>}
   */
  home: (input) => call('POST', 'home', input),
  /** @param {{user: string, callback_id: string, channel?: string, ts?: string}} input @returns {Promise<ControlAnswer>} */
  shortcut: (input) => call('POST', 'shortcut', input),
  /** @param {{user: string, channel: string, ts: string, name: string, remove: boolean}} input @returns {Promise<ControlAnswer>} */
  react: (input) => call('POST', 'react', input),
  /** @param {{user: string, channel: string}} input @returns {Promise<ControlAnswer>} */
  join: (input) => call('POST', 'join', input),
  /** @param {{user: string, people: readonly string[]}} input @returns {Promise<ControlAnswer & {channel?: string}>} */
  open: (input) => call('POST', 'open', input),

  /** @param {string} part @returns {Promise<{value: string, label: string}[]>} */
  async devices(part) {
    const answer = await call('GET', `devices?${queryOf({ q: part })}`);
    return answer.devices ?? [];
  },
  /** @returns {Promise<ProcessHealth>} */
  health: () => call('GET', 'bot'),
  /** The bot's newest requests. @param {number} last @returns {Promise<{requests?: JournalLine[]}>} */
  journal: (last) => call('GET', `journal?${queryOf({ last })}`),
  /** Download address of a file. @param {string} user @param {string} id */
  fileAddress: (user, id) => `/sandbox/file?${queryOf({ user, id })}`,
};

/** @param {Readonly<Record<string, string | number | boolean>>} input */
const queryOf = (input) =>
  new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString();

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
