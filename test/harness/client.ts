/** The control interface over HTTP, as outside checks use it: one function for each call. */
import type {
  ClickOrder,
  CommandOrder,
  DeliveryOrder,
  Fault,
  HomeOrder,
  JournalEntry,
  MessageOrder,
  SeenMessage,
  ServiceName,
  ShortcutOrder,
  SubmitOrder,
  SuggestOrder,
  WorldOrder,
} from '../../src/sandbox/contracts.ts';

export type Answer = { readonly ok: boolean; readonly error?: string };
type Named = { readonly id: string; readonly name: string };

export type State = {
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
export type View = { readonly id: string; readonly blocks: readonly unknown[] } & Readonly<
  Record<string, unknown>
>;
export type BotOrder = {
  readonly do: 'start' | 'stop' | 'kill' | 'pause' | 'resume';
  readonly count?: number;
  readonly index?: number;
  readonly skew?: string;
};
export type BotReport = {
  readonly running: number;
  readonly places: readonly number[];
  readonly paused: readonly number[];
  readonly lines: readonly { readonly text: string }[];
};
/** A click as a test writes it: on a message, or in a view. */
export type Click = Omit<ClickOrder, 'channel' | 'ts'> & { readonly channel?: string; readonly ts?: string };

export type Client = ReturnType<typeof createClient>;

/** A client of the sandbox at this address. */
export function createClient(address: string) {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${address}/sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The caller names the answer's shape; what the interface promises is checked in the tests of the interface.
    return (await response.json()) as T;
  };
  const get = <T>(path: string, query: Readonly<Record<string, string>> = {}) =>
    call<T>('GET', `${path}?${new URLSearchParams(query)}`);
  const post = <T = Answer>(path: string, body: unknown = {}) => call<T>('POST', path, body);

  return {
    address,
    state: () => get<State>('state'),
    command: (order: CommandOrder) => post<Answer & { readonly trigger_id?: string }>('command', order),
    message: (order: MessageOrder) => post<Answer & { readonly ts?: string }>('message', order),
    async messages(channel: string, user: string): Promise<readonly SeenMessage[]> {
      const answer = await get<Partial<Answer> & { readonly messages?: readonly SeenMessage[] }>('messages', {
        channel,
        user,
      });
      if (answer.messages === undefined) throw new Error(`no messages of ${channel}: ${answer.error}`);
      return answer.messages;
    },
    click: (order: Click) => post('click', order),
    home: (order: HomeOrder) => post('home', order),
    views: (user: string) =>
      get<{ readonly modals: readonly View[]; readonly home: View | null }>('views', { user }),
    submit: (order: SubmitOrder) =>
      post<Answer & { readonly errors?: Readonly<Record<string, string>> }>('submit', order),
    close: (order: { readonly user: string; readonly view_id: string }) => post('close', order),
    suggest: (order: SuggestOrder) =>
      post<Answer & { readonly options?: readonly unknown[] }>('suggest', order),
    shortcut: (order: ShortcutOrder) => post('shortcut', order),
    delivery: (order: DeliveryOrder) => post('delivery', order),
    invite: (order: { readonly user: string; readonly channel: string }) => post('invite', order),
    world: (order: WorldOrder) => post<Answer & { readonly events?: readonly number[] }>('world', order),
    fault: (fault: Fault) => post('fault', fault),
    clearFaults: () => call<Answer>('DELETE', 'fault'),
    advance: (advance: string) => post<Answer & { readonly clock?: number }>('clock', { advance }),
    botReport: () => get<BotReport>('bot'),
    bot: (order: BotOrder) => post<Answer & { readonly running?: number }>('bot', order),
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
    reset: () => post<Answer & { readonly clock?: number }>('reset'),
  };
}
