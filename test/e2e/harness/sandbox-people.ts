/** People in a sandbox: what they type, press and see, all through the control interface. */
import type { SeenMessage } from '../../../src/sandbox/contracts/people.ts';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import type { SlackViewAnswer } from '../../harness/client.ts';
import { isToSubmit, openedByPress, opensWindow, submitDecision } from '../../harness/decide-in-window.ts';
import { type StartedSandbox, startSandbox } from '../../harness/start-sandbox.ts';
import { PATIENCE_MS, until } from '../../harness/until.ts';

export type PersonName =
  | 'operator'
  | 'operator2'
  | 'approver'
  | 'approver2'
  | 'approver3'
  | 'viewer'
  | 'admin'
  | 'outsider';

export type SandboxPeople = StartedSandbox & {
  /** Types `/fleet text` and returns the private answer. */
  readonly runs: (user: PersonName, text: string, channel?: string) => Promise<SeenMessage>;
  /** Types another slash command and returns the private answer. */
  readonly types: (user: PersonName, command: string, text: string, channel?: string) => Promise<SeenMessage>;
  /** Writes a message and returns the bot's answer: private in a channel, plain in a direct message. */
  readonly says: (user: PersonName, text: string, where?: MessageLocation) => Promise<SeenMessage>;
  /**
   * Presses a button, or chooses the menu option with this label, submits the window that opens where it lets something
   * run, and returns the private answer that follows.
   */
  readonly presses: (
    user: PersonName,
    on: PostedCard,
    action: string,
    option?: string,
  ) => Promise<SeenMessage>;
  /** The new private answer that follows an action in the channel. */
  readonly answerTo: (user: PersonName, channel: string, act: () => Promise<void>) => Promise<SeenMessage>;
  /** Presses a button that opens a window, and leaves it open. */
  readonly opens: (user: PersonName, on: PostedCard, action: string) => Promise<SlackViewAnswer>;
  /** Presses a button whose effect is seen elsewhere, and submits its window as `presses` does. */
  readonly push: (user: PersonName, on: PostedCard, action: string, option?: string) => Promise<void>;
  /** The one matching card in the channel, as soon as it exists. */
  readonly card: (
    channel: string,
    fits: (card: SeenMessage) => boolean,
    what?: string,
  ) => Promise<PostedCard>;
  /** The bot's public messages in the channel. */
  readonly posts: (channel: string) => Promise<readonly SeenMessage[]>;
  /** The card in this state, after the clock moved as far as needed. */
  readonly becomes: (card: PostedCard, state: string, patience?: string) => Promise<PostedCard>;
  /** The message about a new database was posted: a fault for the next message does not meet that one any more. */
  readonly greeted: () => Promise<void>;
  /** Write requests to the service. */
  readonly writes: () => Promise<readonly string[]>;
};
/** `@name` is the direct message of a person and the bot. */
export type MessageLocation = { readonly channel?: string; readonly thread?: string };
export type PostedCard = SeenMessage & { readonly channel: string };

export const stateOf = (message: SeenMessage): string | undefined => payloadOf(message)['state'];
export const cardKeyIn = (message: SeenMessage): string | undefined => payloadOf(message)['key'];

function payloadOf({ metadata }: SeenMessage): Readonly<Record<string, string>> {
  const given = metadata as { readonly event_payload?: Readonly<Record<string, string>> } | null | undefined;
  return given?.event_payload ?? {};
}

/** Everything that a person can read in a message. */
export const messageText = ({ text, blocks }: SeenMessage): string => `${text}\n${JSON.stringify(blocks)}`;

export function actionIdsOf(message: SeenMessage): readonly string[] {
  return [...JSON.stringify(message.blocks).matchAll(/"action_id":"([^"]+)"/g)].map(([, id = '']) => id);
}

/** The value of the menu option with this label. */
function optionOf({ blocks }: SeenMessage, label: string): string {
  let found: string | undefined;
  JSON.stringify(blocks, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || !('value' in item) || !('text' in item)) return item;
    const { text, value } = item as { readonly text: { readonly text?: string }; readonly value: string };
    if (text.text === label) found = value;
    return item;
  });
  if (found === undefined) throw new Error(`no option ${label} in ${JSON.stringify(blocks)}`);
  return found;
}

/** Notices that precede a slow answer. */
const DELAY_NOTICES: readonly string[] = [
  'Looking…',
  'This took longer than usual, so the answer comes below.',
];

/** The state of a request before a decision, and short states. */
const WAITING = 'waiting';
const SHORT: readonly string[] = ['accepted', 'queued', 'answered'];

/** The answer in a window, shaped like a message. */
export function asMessage(window: SlackViewAnswer): SeenMessage {
  const head = { ts: '0', thread_ts: null, user: '', bot: true, ephemeral: true, metadata: null };
  const drawn = window.blocks as readonly { readonly text?: { readonly text: string } }[]; // as the bot sent them
  return {
    ...head,
    text: drawn.map((block) => block.text?.text ?? '').join('\n'),
    blocks: window.blocks as SeenMessage['blocks'],
  };
}

export async function startSandboxPeople(options: SandboxOptions = {}): Promise<SandboxPeople> {
  const sandbox = await startSandbox(options);
  const privateTo = async (user: PersonName, channel: string) =>
    (await sandbox.messages(channel, user)).filter(
      ({ bot, ephemeral, text }) =>
        (ephemeral || (bot && channel.startsWith('@'))) && !DELAY_NOTICES.includes(text),
    );
  const posts = async (channel: string) =>
    (await sandbox.messages(channel, 'admin')).filter(({ bot, ephemeral }) => bot && !ephemeral);

  /** The answer is a new private message, or an old one that changed. */
  const answerTo = async (
    user: PersonName,
    channel: string,
    act: () => Promise<void>,
  ): Promise<SeenMessage> => {
    const before = new Set((await privateTo(user, channel)).map((one) => JSON.stringify(one)));
    await act();
    return until(
      async () => (await privateTo(user, channel)).findLast((one) => !before.has(JSON.stringify(one))),
      { what: `a private answer to ${user}` },
    );
  };
  const types: SandboxPeople['types'] = (user, command, text, channel = 'ops') =>
    answerTo(user, channel, async () => {
      const { ok, error } = await sandbox.command({ user, channel, command, text });
      if (!ok) throw new Error(`${command} ${text}: ${error}`);
    });
  const push: SandboxPeople['push'] = async (user, on, action, option) => {
    const pressed = { user, channel: on.channel, ts: on.ts, action_id: action };
    const chosen = option === undefined ? {} : { value: optionOf(on, option) };
    const { ok, error } = await sandbox.click({ ...pressed, ...chosen });
    if (!ok) throw new Error(`${user} cannot press ${action}: ${error}`);
  };
  /** Submits the window that opens, and returns it where it is not one to submit: it says why not, or is to be filled in. */
  const pushThroughWindow = async (
    user: PersonName,
    on: PostedCard,
    action: string,
  ): Promise<SlackViewAnswer | null> => {
    const seen = async () => (await privateTo(user, on.channel)).map((one) => JSON.stringify(one));
    const before = new Set(await seen());
    const press = () => push(user, on, action);
    const isAnswered = async () => (await seen()).some((one) => !before.has(one));
    const window = await openedByPress(sandbox, user, press, { isAnswered });
    if (window === null || !isToSubmit(window, action)) return window;
    const { ok, error } = await submitDecision(sandbox, user, window);
    if (!ok) throw new Error(`${user} cannot submit the window of ${action}: ${error}`);
    return null;
  };
  const pressed = async (...[user, on, action, option]: Parameters<SandboxPeople['push']>) => {
    if (opensWindow(action)) return pushThroughWindow(user, on, action);
    await push(user, on, action, option);
    return null;
  };
  const card: SandboxPeople['card'] = async (channel, fits, what = 'a card') => {
    const found = await until(async () => (await posts(channel)).find(fits), {
      what: `${what} in #${channel}`,
    });
    return { ...found, channel };
  };

  return {
    ...sandbox,
    posts,
    card,
    push: async (...press) => void (await pressed(...press)),
    opens: async (user, on, action) => {
      const window = await openedByPress(sandbox, user, () => push(user, on, action));
      if (window === null) throw new Error(`no window of ${action}`);
      return window;
    },
    answerTo,
    types,
    runs: (user, text, channel) => types(user, '/fleet', text, channel),
    says: (user, text, { channel = 'ops', thread } = {}) =>
      answerTo(user, channel, async () => {
        const inThread = thread === undefined ? {} : { thread_ts: thread };
        const { ok, error } = await sandbox.message({ user, channel, text, ...inThread });
        if (!ok) throw new Error(`${text}: ${error}`);
      }),
    presses: async (user, on, action, option) => {
      let shown: SeenMessage | null = null;
      const messages = answerTo(user, on.channel, async () => {
        const window = await pressed(user, on, action, option);
        shown = window && asMessage(window);
        if (shown !== null) throw new Error('the answer stands in the window: nothing is told');
      });
      return messages.catch((error: unknown) => shown ?? Promise.reject(error));
    },
    becomes: async (of, state, patience = '15m') => {
      const now = () => card(of.channel, ({ ts }) => ts === of.ts);
      // Immediate effects need no clock: the effect of an earlier press, and short states, which moving the clock might
      // skip.
      const isThere = (seen: string | undefined) =>
        seen === state || (!SHORT.includes(state) && seen !== undefined && seen !== WAITING);
      await until(async () => isThere(stateOf(await now())), {
        // Moving the clock would skip this one, however late it comes.
        timeoutMs: state === 'accepted' ? PATIENCE_MS : 1_000,
      }).catch(() => false);
      for (let waited = 0; waited < 30; waited += 1) {
        const seen = await now();
        if (stateOf(seen) === state) return seen;
        await sandbox.advance(fraction(patience));
      }
      return until(
        async () => {
          const seen = await now();
          return stateOf(seen) === state ? seen : null;
        },
        { what: `${cardKeyIn(of)} to become ${state}` },
      );
    },
    greeted: async () => {
      await until(async () => (await sandbox.messages('@admin', 'admin')).some(({ bot }) => bot), {
        what: 'the first message to the admin',
      });
    },
    writes: async () =>
      (await sandbox.journal('management'))
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`),
  };
}

/** A thirtieth of a duration such as `15m`. */
function fraction(patience: string): string {
  const [, count = '15', unit = 'm'] = /^(\d+)([smhd])$/.exec(patience) ?? [];
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? 60);
  return `${Math.max(Math.round(seconds / 30), 1)}s`;
}
