/** The only access to the outside: the sandbox's control interface on the same origin. */
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
} from '../../../contracts/people.ts';
import type {
  ActionInput,
  ControlAnswer,
  Conversation,
  Excerpt,
  JournalLine,
  ManifestCommand,
  ProcessHealth,
  SandboxState,
  Shortcut,
  SlackView,
  SubmitAnswer,
  Suggestions,
  SurfaceLocation,
} from '../types.ts';

export const api = {
  state: (): Promise<SandboxState> => call('GET', 'state'),

  async commands(): Promise<ManifestCommand[]> {
    const answer = await call('GET', 'commands');
    return answer.commands ?? [];
  },

  /** The app's shortcuts. */
  async shortcuts(): Promise<Shortcut[]> {
    const answer = await call('GET', 'shortcuts');
    return answer.shortcuts ?? [];
  },

  messages: (input: ExcerptQuery): Promise<Excerpt> => call('GET', `messages?${queryOf(input)}`),

  async conversations(user: string): Promise<Conversation[]> {
    const answer = await call('GET', `conversations?${queryOf({ user })}`);
    return answer.conversations ?? [];
  },

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

  /** Sends the bot the event of a person who opens it. */
  home: (input: HomeInput): Promise<ControlAnswer> => act('home', input),
  shortcut: (input: ShortcutInput): Promise<ControlAnswer> => act('shortcut', input),
  react: (input: ReactInput): Promise<ControlAnswer> => act('react', input),
  join: (input: JoinInput): Promise<ControlAnswer> => call('POST', 'join', input),
  invite: (input: JoinInput): Promise<ControlAnswer> => call('POST', 'invite', input),

  async devices(part: string): Promise<{ value: string; label: string }[]> {
    const answer = await call('GET', `devices?${queryOf({ q: part })}`);
    return answer.devices ?? [];
  },
  health: (): Promise<ProcessHealth> => call('GET', 'bot'),
  /** The bot's newest requests. */
  journal: (last: number): Promise<{ requests?: JournalLine[] }> =>
    call('GET', `journal?${queryOf({ last })}`),
  /** Download address of a file. */
  fileAddress: (user: string, id: string) => `/sandbox/file?${queryOf({ user, id })}`,
};

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
