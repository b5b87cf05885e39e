/** Actions of a person in the workspace, and how blocks send theirs to the sandbox. */

import type {
  CommandInput,
  ExcerptQuery,
  HomeInput,
  JoinInput,
  MessageInput,
  ReactInput,
  ShortcutInput,
  SubmitInput,
  SuggestInput,
} from '../../contracts/people.ts';
import type { PageStore } from './state/store.ts';
import type {
  ActionInput,
  ControlAnswer,
  Conversation,
  Excerpt,
  JournalLine,
  ManifestCommand,
  Names,
  ProcessHealth,
  RenderContext,
  SandboxState,
  Shortcut,
  SlackView,
  SubmitAnswer,
  Suggestions,
  SurfaceLocation,
  ViewerContext,
} from './types.ts';

type ActionsOptions = {
  readonly store: PageStore;
  readonly names: Names;
  readonly now: () => number;
  readonly refresh: () => Promise<void>;
};

/** Everything is done as the current person, and the result is read at once. */
export function createActions({ store, names, now, refresh }: ActionsOptions) {
  const followed = async <A extends ControlAnswer>(answering: Promise<A>) => {
    const answer = await answering;
    void refresh();
    return answer;
  };

  /** `fail`: shows why an action failed whose element is gone. */
  const surfaceOf = (location: SurfaceLocation, fail: RenderContext['fail'] = null): RenderContext => ({
    names,
    now,
    fail,
    fields: new Map(),
    dispatchAction: (request) =>
      followed(api.click({ user: store.get().me, ...whereIn(location), ...request })),
    suggest: (request) => api.suggest({ user: store.get().me, ...whereIn(location), ...request }),
  });

  const send = async (line: string, thread: string | null): Promise<ControlAnswer & { what: string }> => {
    const { me: user, channel } = store.get();
    const request = parseSlashCommand(line);
    if (request && thread !== null)
      return { ok: false, what: request.command, error: 'not_supported_in_threads' };
    if (request)
      return { ...(await followed(api.command({ user, channel, ...request }))), what: request.command };
    const message = { user, channel, text: line, ...(thread === null ? {} : { thread_ts: thread }) };
    return { ...(await followed(api.message(message))), what: 'The message' };
  };

  return {
    surfaceOf,
    send,
    join: () => {
      const { me: user, channel } = store.get();
      return followed(api.join({ user, channel }));
    },
    invite: () => {
      const { me: user, channel } = store.get();
      return followed(api.invite({ user, channel }));
    },
    openApp: (tab: 'home' | 'messages') => followed(api.home({ user: store.get().me, tab })),
    /** In the conversation that is shown; `ts`: the message of a message shortcut. */
    shortcut(callback_id: string, ts?: string) {
      const { me: user, channel } = store.get();
      return followed(api.shortcut({ user, callback_id, channel, ...(ts === undefined ? {} : { ts }) }));
    },
    react(ts: string, name: string, remove: boolean) {
      const { me: user, channel } = store.get();
      return followed(api.react({ user, channel, ts, name, remove }));
    },
    viewSurface: (view: SlackView) => surfaceOf({ channel: store.get().channel, ts: '', view_id: view.id }),
    submit: (view: SlackView, values: Record<string, Record<string, unknown>>) =>
      followed(api.submit({ user: store.get().me, view_id: view.id, values })),
    close: (view: SlackView, all: boolean) =>
      followed(api.close({ user: store.get().me, view_id: view.id, all })),
  };
}

/** Null for text that is no command; the workspace adds mentions to it and escapes the rest. */
function parseSlashCommand(line: string): { command: string; text: string } | null {
  const match = /^(\/[^\s/]+)(?:\s+([\s\S]*))?$/.exec(line);
  return match ? { command: match[1] ?? '', text: (match[2] ?? '').trim() } : null;
}

/** A view is identified by its id alone; the channel only says where it was opened. */
const whereIn = ({ channel, ts, view_id }: SurfaceLocation) =>
  view_id === undefined ? { channel, ts } : { view_id };

export type Actions = ReturnType<typeof createActions>;

/** The only access to the outside: the sandbox's control interface on the same origin. */
export const api = {
  state: (): Promise<SandboxState> => call('GET', 'state'),

  commands: (): Promise<ManifestCommand[]> => readList('commands', 'commands'),

  shortcuts: (): Promise<Shortcut[]> => readList('shortcuts', 'shortcuts'),

  messages: (input: ExcerptQuery): Promise<Excerpt> => call('GET', `messages?${queryOf(input)}`),

  conversations: (user: string): Promise<Conversation[]> =>
    readList('conversations', `conversations?${queryOf({ user })}`),

  views: (user: string): Promise<ControlAnswer & { modals?: SlackView[]; home?: SlackView | null }> =>
    call('GET', `views?${new URLSearchParams({ user })}`),

  command: (input: CommandInput): Promise<ControlAnswer> => act('command', input),

  message: (input: MessageInput): Promise<ControlAnswer> => act('message', input),

  click: (input: { user: string } & Partial<SurfaceLocation> & ActionInput): Promise<ControlAnswer> =>
    act('click', input),

  submit: (input: SubmitInput): Promise<SubmitAnswer> => act('submit', input),

  close: (input: { user: string; view_id: string; all: boolean }): Promise<ControlAnswer> =>
    act('close', input),

  async suggest(input: SuggestInput): Promise<Suggestions> {
    const answer = await call('POST', 'suggest', input);
    return { ...answer, options: answer.options ?? [] };
  },

  world: (input: Record<string, unknown>) => call('POST', 'world', input),
  fault: (input: Record<string, unknown>) => call('POST', 'fault', input),
  repair: () => call('DELETE', 'fault'),
  delivery: (input: Record<string, unknown>) => call('POST', 'delivery', input),
  clock: (advance: string) => call('POST', 'clock', { advance }),
  bot: (input: Record<string, unknown>) => call('POST', 'bot', input),
  reset: () => call('POST', 'reset', {}),
  configuration: (): Promise<{ text?: string }> => call('GET', 'configuration'),
  writeConfiguration: (text: string): Promise<ControlAnswer & { problems?: readonly string[] }> =>
    call('POST', 'configuration', { text }),

  /** Sends the bot the event of a person who opens it. */
  home: (input: HomeInput): Promise<ControlAnswer> => act('home', input),
  shortcut: (input: ShortcutInput): Promise<ControlAnswer> => act('shortcut', input),
  react: (input: ReactInput): Promise<ControlAnswer> => act('react', input),
  join: (input: JoinInput): Promise<ControlAnswer> => call('POST', 'join', input),
  invite: (input: JoinInput): Promise<ControlAnswer> => call('POST', 'invite', input),

  devices: (part: string): Promise<{ value: string; label: string }[]> =>
    readList('devices', `devices?${queryOf({ q: part })}`),
  health: (): Promise<ProcessHealth> => call('GET', 'bot'),
  journal: (last: number): Promise<{ requests?: JournalLine[] }> =>
    call('GET', `journal?${queryOf({ last })}`),
  fileAddress: (user: string, id: string) => `/sandbox/file?${queryOf({ user, id })}`,
};

/** The list of this name in an answer, or an empty one. */
const readList = async (name: string, path: string) => (await call('GET', path))[name] ?? [];

const queryOf = (input: Readonly<Record<string, string | number | boolean>>) =>
  new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString();

/**
 * An answer that is not what was promised becomes `{ok: false}`, so that no caller has to catch. The answer's shape is
 * the control interface's promise; both sides are of one repository and one version.
 */
async function call(method: string, path: string, body?: unknown) {
  const content = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const response = await fetch(`/sandbox/${path}`, { method, ...(body === undefined ? {} : content) });
    return await response.json();
  } catch {
    return { ok: false, error: 'sandbox_unreachable' };
  }
}

/** What a person does counts once the product is at the time that the page shows. */
async function act(path: string, input: unknown) {
  await call('GET', 'caught-up');
  return call('POST', path, input);
}

/** What the parts of the page share. */
export type Page = ViewerContext & {
  readonly store: PageStore;
  readonly actions: Actions;
  /** The message that a pane scrolls to as soon as it shows it. */
  readonly sought: { channel: string | null; thread: string | null };
  readonly announce: (words: string) => void;
  readonly go: (me: string, channel: string) => void;
  readonly openThread: (ts: string) => void;
  readonly readEarlier: () => Promise<void>;
  /** After something was done in the outside world. */
  readonly onOutside: (action: string) => void;
};
