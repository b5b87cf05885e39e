/** One command used in one way, and its effect: the vocabulary of the tables of all commands. */
import type { SeenMessage } from '../../../src/sandbox/contracts/people.ts';
import type { SlackViewAnswer } from '../../harness/client.ts';
import { until } from '../../harness/until.ts';
import { actionOf } from '../harness/modals.ts';
import {
  asMessage,
  messageText,
  type PersonName,
  type PostedCard,
  type SandboxPeople,
} from '../harness/sandbox-people.ts';

export type InputWay = 'slash' | 'mention' | 'button';

/** What is entered in a field: submitted directly, or searched for by these letters. */
export type EnteredField = string | readonly string[] | { readonly search: string };
export type FormEntries = Readonly<Record<string, EnteredField>>;

export type CommandHarness = {
  readonly people: SandboxPeople;
  readonly who: PersonName;
  readonly way: InputWay;
  /** Types in #ops and returns the private answer. */
  readonly runs: (line: string) => Promise<SeenMessage>;
  /** Presses a button of that answer; earlier requests to the service do not count. */
  readonly presses: (on: SeenMessage, action: string, option?: string) => Promise<SeenMessage>;
  /** The same, and fills in the form that opens. */
  readonly fills: (
    on: SeenMessage,
    action: string,
    entries: FormEntries,
    option?: string,
  ) => Promise<SeenMessage>;
  /** Presses the button below the command's help. */
  readonly tries: (command: string) => Promise<SeenMessage>;
  readonly triesForm: (command: string, entries: FormEntries) => Promise<SeenMessage>;
  /** Requests to the service since the command, as `METHOD /path`. */
  readonly serviceCalls: () => Promise<readonly string[]>;
  /** Makes a patch fail there, and returns the alert. */
  readonly alertOf: (device: string, reason: string) => Promise<PostedCard>;
};

export type CommandRow = {
  readonly who: PersonName;
  readonly slash: CommandLine;
  readonly mention: CommandLine;
  readonly button: (hand: CommandHarness) => Promise<SeenMessage>;
  /** What follows a typed line, where that alone is answered by a form. */
  readonly typed?: (hand: CommandHarness) => Promise<SeenMessage>;
  readonly answer: RegExp;
  /** Checked in the service's journal or world, or in Patchbay's later behavior. */
  readonly effect: (hand: CommandHarness, answer: SeenMessage) => Promise<void>;
  readonly refused: { readonly who: PersonName; readonly line: CommandLine };
};
/** What is typed, possibly after a preparation. */
export type CommandLine = string | ((hand: CommandHarness) => Promise<string>);
export type CommandRows = Readonly<Record<string, CommandRow>>;

const OPS = 'ops';

export function createCommandHarness(
  people: SandboxPeople,
  who: PersonName,
  way: InputWay,
): CommandHarness & { readonly mark: () => Promise<void> } {
  let since = 0;
  const journal = () => people.journal('management');
  const mark = async (): Promise<void> => {
    since = (await journal()).length;
  };
  const at = (on: SeenMessage): PostedCard => ({ ...on, channel: OPS });
  const runs = (line: string) => people.runs(who, line, OPS);
  const presses: CommandHarness['presses'] = async (on, action, option) => {
    await mark();
    return people.presses(who, at(on), action, option);
  };
  const fills: CommandHarness['fills'] = async (on, action, entries, option) => {
    // A menu option that opens a form also redraws the card, which is no answer to the form.
    if (option === undefined) await people.opens(who, at(on), action);
    else await people.presses(who, at(on), action, option);
    return fillIn(people, who, entries, mark);
  };
  return {
    people,
    who,
    way,
    mark,
    runs,
    presses,
    fills,
    tries: async (command) => presses(await runs(`help ${command}`), 'try'),
    triesForm: async (command, entries) => fills(await runs(`help ${command}`), 'try', entries),
    serviceCalls: async () => (await journal()).slice(since).map(({ method, path }) => `${method} ${path}`),
    alertOf: async (device, reason) => {
      // A package of its own: one that fails on several devices is one alert.
      await people.world({ do: 'patch-fails', device, reason, patch: `update-of-${device}` });
      await people.advance('20s');
      return people.card(
        'patch-alerts',
        (card) => messageText(card).includes(reason),
        `the alert of ${device}`,
      );
    },
  };
}

/**
 * Fills in the open form and returns the answer: in its window, or private where the window closes. `first` runs right
 * before the submission.
 */
export async function fillIn(
  people: SandboxPeople,
  who: PersonName,
  entries: FormEntries,
  first: () => Promise<void> = async () => undefined,
): Promise<SeenMessage> {
  const form = await openFormOf(people, who);
  const values = await valuesFor(people, who, form, entries);
  await first();
  let shown: SeenMessage | null = null;
  const messages = people.answerTo(who, OPS, async () => {
    const submitted = await people.submit({ user: who, view_id: form.id, values });
    if (!submitted.ok) throw new Error(`the form was not taken: ${JSON.stringify(submitted)}`);
    shown = await fillAnswer(people, who, form.id);
    if (shown !== null) throw new Error('the answer stands in the window: nothing is told');
  });
  return messages.catch((error: unknown) => shown ?? Promise.reject(error));
}

/** The answer in a form's window, shaped like a message; null where the window closed. */
async function fillAnswer(people: SandboxPeople, who: PersonName, id: string): Promise<SeenMessage | null> {
  const window = await until(
    async () => {
      const found = (await people.views(who)).modals.find((one) => one.id === id);
      if (found === undefined) return 'closed' as const;
      return found['callback_id'] === 'home_answer' && !asMessage(found).text.startsWith('Looking…')
        ? found
        : null;
    },
    { what: 'an answer in the window' },
  );
  return window === 'closed' ? null : asMessage(window);
}

/** The open form, once it is rendered. */
export function openFormOf(people: SandboxPeople, who: PersonName): Promise<SlackViewAnswer> {
  return until(
    async () => (await people.views(who)).modals.findLast((one) => one['callback_id'] === 'form') ?? null,
    { what: `a form of ${who}` },
  );
}

async function valuesFor(
  people: SandboxPeople,
  who: PersonName,
  form: SlackViewAnswer,
  entries: FormEntries,
) {
  const filled = Object.entries(entries).map(async ([field, entered]) => {
    const action = actionOf(form, field);
    if (typeof entered === 'string' || Array.isArray(entered)) return [field, { [action]: entered }] as const;
    const letters = 'search' in entered ? entered.search : '';
    const order = { user: who, view_id: form.id, block_id: field, action_id: action, value: letters };
    const { options = [] } = await people.suggest(order);
    const [first] = options as readonly { readonly value: string }[]; // as the sandbox lists them
    if (first === undefined) throw new Error(`${field} offers nothing for ${letters}`);
    return [field, { [action]: first.value }] as const;
  });
  return Object.fromEntries(await Promise.all(filled));
}

/** The service got these requests since. */
export function recordedCalls(...calls: readonly (string | RegExp)[]): CommandRow['effect'] {
  return async (harness) => {
    for (const call of calls) await untilCalled(harness, call);
  };
}

export async function untilCalled({ serviceCalls }: CommandHarness, call: string | RegExp): Promise<void> {
  const fits = (one: string) => (typeof call === 'string' ? one === call : call.test(one));
  const isSeen = async () => (await serviceCalls()).some(fits);
  await until(isSeen, { what: String(call) }).catch(async (cause: unknown) => {
    throw new Error(`${call} is not among ${(await serviceCalls()).join(', ')}`, { cause });
  });
}

/** The answer contains these texts, which only real data could give. */
export function showsText(...words: readonly (string | RegExp)[]): CommandRow['effect'] {
  return async (_hand, answer) => {
    for (const word of words) {
      const found =
        typeof word === 'string' ? messageText(answer).includes(word) : word.test(messageText(answer));
      if (!found) throw new Error(`${word} is not in ${messageText(answer)}`);
    }
  };
}

export function allEffects(...effects: readonly CommandRow['effect'][]): CommandRow['effect'] {
  return async (harness, answer) => {
    for (const effect of effects) await effect(harness, answer);
  };
}

/** Nothing is sent until the request in #approvals is approved; then this call is. */
export async function approveAndExpect(harness: CommandHarness, card: string, call: string): Promise<void> {
  const { people } = harness;
  const request = await people.card('approvals', ({ text }) => text.startsWith(card), card);
  const early = (await harness.serviceCalls()).filter((one) => !one.startsWith('GET'));
  if (early.length > 0) throw new Error(`${early} was sent without approval`);
  await people.push('approver', request, 'approve');
  await untilCalled(harness, call);
}
