/** The control interface over HTTP, for outside checks: one function per call. */

import type {
  ClickInput,
  CommandInput,
  DeliveryFaultInput,
  HomeInput,
  MessageInput,
  SeenMessage,
  ShortcutInput,
  SubmitInput,
  SuggestInput,
} from '../../src/sandbox/contracts/people.ts';
import type { Fault, JournalEntry, ServiceName, WorldRequest } from '../../src/sandbox/contracts/services.ts';

export type ClientAnswer = { readonly ok: boolean; readonly error?: string };
type Named = { readonly id: string; readonly name: string };

export type SandboxStateAnswer = {
  readonly users: readonly (Named & { readonly role: string })[];
  readonly channels: readonly Named[];
  readonly userGroups: readonly { readonly id: string; readonly handle: string }[];
  readonly organization: { readonly id: number };
  readonly clock: number;
  readonly management: { readonly baseUrl: string; readonly apiKey: string };
  readonly slack: {
    readonly apiUrl: string;
    readonly botToken: string;
    readonly appToken: string;
    readonly signingSecret: string;
    readonly botUrl: string | null;
  };
  readonly bot: { readonly running: boolean; readonly processes: number };
};
export type SlackViewAnswer = { readonly id: string; readonly blocks: readonly unknown[] } & Readonly<
  Record<string, unknown>
>;
export type BotInput = {
  readonly do: 'start' | 'stop' | 'kill' | 'pause' | 'resume' | 'hangup';
  readonly count?: number;
  readonly index?: number;
  readonly skew?: string;
};
export type BotStatusAnswer = {
  readonly running: number;
  readonly places: readonly number[];
  readonly paused: readonly number[];
  readonly lines: readonly { readonly text: string }[];
};
/** A click as a test writes it: on a message, or in a view. */
export type ClickedElement = Omit<ClickInput, 'channel' | 'ts'> & {
  readonly channel?: string;
  readonly ts?: string;
};

export type Client = ReturnType<typeof createClient>;

/** A client of the sandbox at this address. */
export function createClient(address: string) {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${address}/sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The caller names the answer's shape; the tests of the interface check it.
    return (await response.json()) as T;
  };
  const get = <T>(path: string, query: Readonly<Record<string, string>> = {}) =>
    call<T>('GET', `${path}?${new URLSearchParams(query)}`);
  const post = <T = ClientAnswer>(path: string, body: unknown = {}) => call<T>('POST', path, body);

  return {
    address,
    state: () => get<SandboxStateAnswer>('state'),
    command: (order: CommandInput) => post<ClientAnswer & { readonly trigger_id?: string }>('command', order),
    message: (order: MessageInput) => post<ClientAnswer & { readonly ts?: string }>('message', order),
    async messages(channel: string, user: string): Promise<readonly SeenMessage[]> {
      const answer = await get<Partial<ClientAnswer> & { readonly messages?: readonly SeenMessage[] }>(
        'messages',
        {
          channel,
          user,
        },
      );
      if (answer.messages === undefined) throw new Error(`no messages of ${channel}: ${answer.error}`);
      return answer.messages;
    },
    click: (order: ClickedElement) => post('click', order),
    home: (order: HomeInput) => post('home', order),
    views: (user: string) =>
      get<{ readonly modals: readonly SlackViewAnswer[]; readonly home: SlackViewAnswer | null }>('views', {
        user,
      }),
    submit: (order: SubmitInput) =>
      post<ClientAnswer & { readonly errors?: Readonly<Record<string, string>> }>('submit', order),
    close: (order: { readonly user: string; readonly view_id: string }) => post('close', order),
    suggest: (order: SuggestInput) =>
      post<ClientAnswer & { readonly options?: readonly unknown[] }>('suggest', order),
    shortcut: (order: ShortcutInput) => post('shortcut', order),
    delivery: (order: DeliveryFaultInput) => post('delivery', order),
    invite: (order: { readonly user: string; readonly channel: string }) => post('invite', order),
    world: (order: Omit<WorldRequest, 'listed'> & { readonly listed?: string }) =>
      post<ClientAnswer & { readonly events?: readonly number[] }>('world', order),
    fault: (fault: Fault) => post('fault', fault),
    faultOnce: (fault: Fault) => post('fault', { ...fault, times: 1 }),
    clearFaults: () => call<ClientAnswer>('DELETE', 'fault'),
    advance: (advance: string) => post<ClientAnswer & { readonly clock?: number }>('clock', { advance }),
    botReport: () => get<BotStatusAnswer>('bot'),
    bot: (order: BotInput) => post<ClientAnswer & { readonly running?: number }>('bot', order),
    configuration: () => get<{ readonly text: string }>('configuration'),
    writeConfiguration: (text: string) =>
      post<ClientAnswer & { readonly problems?: readonly string[] }>('configuration', { text }),
    async journal(service?: ServiceName): Promise<readonly JournalEntry[]> {
      const { requests } = await get<{ readonly requests: readonly JournalEntry[] }>(
        'journal',
        service === undefined ? {} : { service },
      );
      return requests;
    },
    /** The newest requests, and how many there were in all. */
    journalTail: (last: number) =>
      get<{ readonly requests: readonly JournalEntry[]; readonly total: number }>('journal', {
        last: String(last),
      }),
    reset: () => post<ClientAnswer & { readonly clock?: number }>('reset'),
  };
}
