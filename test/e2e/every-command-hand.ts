/** Somebody who uses one command in one way, and what that did: the words of the tables of all commands. */
import type { SeenMessage } from '../../src/sandbox/contracts.ts';
import type { View } from '../harness/client.ts';
import { until } from '../harness/until.ts';
import { type Card, type PersonName, type Town, wordsOf } from './town.ts';
import { actionOf } from './windows.ts';

export type Way = 'slash' | 'mention' | 'button';

/** What is entered in a field: as it is submitted, or searched for by these letters. */
export type Entered = string | readonly string[] | { readonly search: string };
export type Entries = Readonly<Record<string, Entered>>;

export type Hand = {
  readonly town: Town;
  readonly who: PersonName;
  readonly way: Way;
  /** Types in #ops and gives the private answer. */
  readonly asks: (line: string) => Promise<SeenMessage>;
  /** Presses a button of that answer; what was asked of the service before does not count. */
  readonly presses: (on: SeenMessage, action: string, option?: string) => Promise<SeenMessage>;
  /** The same, and fills in the form that opens. */
  readonly fills: (
    on: SeenMessage,
    action: string,
    entries: Entries,
    option?: string,
  ) => Promise<SeenMessage>;
  /** The button below the help of the command. */
  readonly tries: (command: string) => Promise<SeenMessage>;
  readonly triesForm: (command: string, entries: Entries) => Promise<SeenMessage>;
  /** What was asked of the service since the command was, as `METHOD /path`. */
  readonly calls: () => Promise<readonly string[]>;
  /** Makes a patch fail there, and gives the alert. */
  readonly alertOf: (device: string, reason: string) => Promise<Card>;
};

/** What a row of a table says of its command. */
export type Row = {
  readonly who: PersonName;
  readonly slash: Line;
  readonly mention: Line;
  readonly button: (hand: Hand) => Promise<SeenMessage>;
  readonly answer: RegExp;
  /** Seen in the service's journal or world, or in what Patchbay does from then on. */
  readonly effect: (hand: Hand, answer: SeenMessage) => Promise<void>;
  readonly refused: { readonly who: PersonName; readonly line: Line };
};
/** What is typed, where need be after something was made ready for it. */
export type Line = string | ((hand: Hand) => Promise<string>);
export type Rows = Readonly<Record<string, Row>>;

const OPS = 'ops';
const AT_ONCE = 15_000;

export function createHand(
  town: Town,
  who: PersonName,
  way: Way,
): Hand & { readonly mark: () => Promise<void> } {
  let since = 0;
  const journal = () => town.journal('management');
  const mark = async (): Promise<void> => {
    since = (await journal()).length;
  };
  const at = (on: SeenMessage): Card => ({ ...on, channel: OPS });
  const asks = (line: string) => town.asks(who, line, OPS);
  const presses: Hand['presses'] = async (on, action, option) => {
    await mark();
    return town.presses(who, at(on), action, option);
  };
  const fills: Hand['fills'] = async (on, action, entries, option) => {
    // An option that opens a form leaves the card redrawn, which is no answer to the form.
    if (option === undefined) await town.push(who, at(on), action);
    else await town.presses(who, at(on), action, option);
    return fillIn(town, who, entries, mark);
  };
  return {
    town,
    who,
    way,
    mark,
    asks,
    presses,
    fills,
    tries: async (command) => presses(await asks(`help ${command}`), 'try'),
    triesForm: async (command, entries) => fills(await asks(`help ${command}`), 'try', entries),
    calls: async () => (await journal()).slice(since).map(({ method, path }) => `${method} ${path}`),
    alertOf: async (device, reason) => {
      await town.world({ do: 'patch-fails', device, reason });
      await town.advance('20s');
      return town.card('patch-alerts', (card) => wordsOf(card).includes(reason), `the alert of ${device}`);
    },
  };
}

/**
 * Fills in the form that stands open and gives the answer: in its window, or private where it closes. `first` happens
 * right before it is submitted.
 */
export async function fillIn(
  town: Town,
  who: PersonName,
  entries: Entries,
  first: () => Promise<void> = async () => undefined,
): Promise<SeenMessage> {
  const form = await formOf(town, who);
  const values = await valuesFor(town, who, form, entries);
  await first();
  let shown: SeenMessage | null = null;
  const told = town.answerTo(who, OPS, async () => {
    const submitted = await town.submit({ user: who, view_id: form.id, values });
    if (!submitted.ok) throw new Error(`the form was not taken: ${JSON.stringify(submitted)}`);
    shown = await answerIn(town, who, form.id);
    if (shown !== null) throw new Error('the answer stands in the window: nothing is told');
  });
  return told.catch((error: unknown) => shown ?? Promise.reject(error));
}

/** The answer in the window of a form, as a message would have it; null where the window closed. */
async function answerIn(town: Town, who: PersonName, id: string): Promise<SeenMessage | null> {
  const window = await until(
    async () => {
      const found = (await town.views(who)).modals.find((one) => one.id === id);
      if (found === undefined) return 'closed' as const;
      return found['callback_id'] === 'home_answer' && !wordsIn(found).startsWith('Looking…') ? found : null;
    },
    { timeoutMs: AT_ONCE, what: 'an answer in the window' },
  );
  if (window === 'closed') return null;
  const head = {
    ts: '0',
    thread_ts: null,
    user: '',
    bot: true,
    ephemeral: true,
    edited: false,
    metadata: null,
  };
  return { ...head, text: wordsIn(window), blocks: window.blocks };
}

function wordsIn({ blocks }: View): string {
  const drawn = blocks as readonly { readonly text?: { readonly text: string } }[]; // as the bot sent them
  return drawn.map((block) => block.text?.text ?? '').join('\n');
}

/** The form that stands open, once it is drawn. */
export function formOf(town: Town, who: PersonName): Promise<View> {
  return until(
    async () => (await town.views(who)).modals.findLast((one) => one['callback_id'] === 'form') ?? null,
    { timeoutMs: AT_ONCE, what: `a form of ${who}` },
  );
}

async function valuesFor(town: Town, who: PersonName, form: View, entries: Entries) {
  const filled = Object.entries(entries).map(async ([field, entered]) => {
    const action = actionOf(form, field);
    if (typeof entered === 'string' || Array.isArray(entered)) return [field, { [action]: entered }] as const;
    const letters = 'search' in entered ? entered.search : '';
    const order = { user: who, view_id: form.id, block_id: field, action_id: action, value: letters };
    const { options = [] } = await town.suggest(order);
    const [first] = options as readonly { readonly value: string }[]; // as the sandbox lists them
    if (first === undefined) throw new Error(`${field} offers nothing for ${letters}`);
    return [field, { [action]: first.value }] as const;
  });
  return Object.fromEntries(await Promise.all(filled));
}

/** The service was asked for this since. */
export function asked(...calls: readonly (string | RegExp)[]): Row['effect'] {
  return async (hand) => {
    for (const call of calls) await untilAsked(hand, call);
  };
}

export async function untilAsked({ calls }: Hand, call: string | RegExp): Promise<void> {
  const fits = (one: string) => (typeof call === 'string' ? one === call : call.test(one));
  const isSeen = async () => (await calls()).some(fits);
  await until(isSeen, { what: String(call) }).catch(async (cause: unknown) => {
    throw new Error(`${call} is not among ${(await calls()).join(', ')}`, { cause });
  });
}

/** Words that only somebody who was asked could know. */
export function says(...words: readonly (string | RegExp)[]): Row['effect'] {
  return async (_hand, answer) => {
    for (const word of words) {
      const found = typeof word === 'string' ? wordsOf(answer).includes(word) : word.test(wordsOf(answer));
      if (!found) throw new Error(`${word} is not in ${wordsOf(answer)}`);
    }
  };
}

/** Each of these. */
export function all(...effects: readonly Row['effect'][]): Row['effect'] {
  return async (hand, answer) => {
    for (const effect of effects) await effect(hand, answer);
  };
}

/** Nothing is sent until the request in #approvals is approved, then this. */
export async function approved(hand: Hand, card: string, call: string): Promise<void> {
  const { town } = hand;
  const request = await town.card('approvals', ({ text }) => text.startsWith(card), card);
  const early = (await hand.calls()).filter((one) => !one.startsWith('GET'));
  if (early.length > 0) throw new Error(`${early} was sent without approval`);
  await town.push('approver', request, 'approve');
  await untilAsked(hand, call);
}
