/** The only door to the outside: the sandbox's control interface on the same origin. */
/** @import { Act, Answer, Command, Message, Option, Place, SubmitAnswer, View, World } from './types.d.ts' */

export const api = {
  /** @returns {Promise<World>} */
  state: () => call('GET', 'state'),

  /** @returns {Promise<Command[]>} */
  async commands() {
    const answer = await call('GET', 'commands');
    return Array.isArray(answer) ? answer : (answer.commands ?? []);
  },

  /**
   * @param {string} channel
   * @param {string} user
   * @returns {Promise<Answer & {messages?: Message[]}>}
   */
  messages: (channel, user) => call('GET', `messages?${new URLSearchParams({ channel, user })}`),

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
   * @param {{user: string, channel: string, text: string, thread_ts?: string}} order
   * @returns {Promise<Answer>}
   */
  message: (order) => call('POST', 'message', order),

  /**
   * @param {{user: string} & Place & Act} order
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
   * @returns {Promise<{options: Option[], error?: string}>}
   */
  async suggest(order) {
    const answer = await call('POST', 'suggest', order);
    if (Array.isArray(answer)) return { options: answer };
    return { options: answer.options ?? [], ...(answer.error ? { error: answer.error } : {}) };
  },

  /** @param {Record<string, unknown>} order */
  world: (order) => call('POST', 'world', order),
  /** @param {Record<string, unknown>} order */
  fault: (order) => call('POST', 'fault', order),
  repair: () => call('DELETE', 'fault'),
  /** @param {string} advance */
  clock: (advance) => call('POST', 'clock', { advance }),
  /** @param {Record<string, unknown>} order */
  bot: (order) => call('POST', 'bot', order),
  reset: () => call('POST', 'reset', {}),
};

/**
 * An answer that is not what was promised becomes `{ok: false}`, so that no caller has to catch.
 *
 * The answer's shape is the control interface's promise; both sides are of one repository and one version.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function call(method, path, body) {
  try {
    const response = await fetch(`/sandbox/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return await response.json();
  } catch {
    return { ok: false, error: 'sandbox_unreachable' };
  }
}
