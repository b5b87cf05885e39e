/** A screen: what happens in a fresh sandbox, and who then looks at which place. */
import type { SeenMessage } from '../../src/sandbox/contracts/services.ts';
import {
  messageText,
  type PersonName,
  type PostedCard,
  type SandboxPeople,
  stateOf,
} from '../e2e/harness/sandbox-people.ts';
import { until } from '../harness/until.ts';

export type Place = {
  readonly user: PersonName;
  /** A channel; `messages` and `home` are tabs of the app. */
  readonly at: string;
};

export type Screen = {
  /** Its files: `NAME-desktop.png` and `NAME-phone.png`. */
  readonly name: string;
  readonly draw: (town: SandboxPeople) => Promise<Place>;
};

export const OPS = 'ops';
export const APPROVALS = 'approvals';
export const ALERTS = 'patch-alerts';

/** The page's address for a place. */
export function addressOf(base: string, { user, at }: Place): string {
  if (at === 'messages') return `${base}/#${user}/@${user}`;
  return at === 'home' ? `${base}/#${user}/@${user}/home` : `${base}/#${user}/${at}`;
}

/** The operator types these words; returns the request's card, which names the device or group. */
export async function requested(
  town: SandboxPeople,
  line: string,
  subject: string,
  user: PersonName = 'operator',
): Promise<PostedCard> {
  const before = new Set((await town.posts(APPROVALS)).map(({ ts }) => ts));
  await town.runs(user, line);
  return town.card(
    APPROVALS,
    (card) => !before.has(card.ts) && messageText(card).includes(subject),
    `a request about ${subject}`,
  );
}

/** The same, approved by the approver and followed to this state. */
export async function approved(
  town: SandboxPeople,
  line: string,
  subject: string,
  state: string,
  patience = '15m',
): Promise<PostedCard> {
  const card = await requested(town, line, subject);
  await town.push('approver', card, 'approve');
  return town.becomes(card, state, patience);
}

/** A request to reboot this device. */
export const reboot = (town: SandboxPeople, name: string): Promise<PostedCard> =>
  requested(town, `reboot ${name} because kernel update`, name);

/** Waits until the card has changed. */
export async function changed(town: SandboxPeople, card: PostedCard): Promise<SeenMessage> {
  const shown = JSON.stringify(card.blocks);
  return until(
    async () => {
      const now = await town.card(card.channel, ({ ts }) => ts === card.ts);
      return JSON.stringify(now.blocks) === shown ? null : now;
    },
    { what: `another look of the card ${card.ts}`, timeoutMs: 20_000 },
  );
}

/** Waits for one of these states without moving the clock. */
export async function reaches(
  town: SandboxPeople,
  card: PostedCard,
  states: readonly string[],
): Promise<void> {
  await until(
    async () => {
      const now = await town.card(card.channel, ({ ts }) => ts === card.ts);
      return states.includes(stateOf(now) ?? '');
    },
    { what: `a state of ${states.join(', ')}`, timeoutMs: 20_000 },
  );
}

/** Waits for an alert or notice with these words. */
export async function announced(town: SandboxPeople, channel: string, words: string): Promise<PostedCard> {
  await town.advance('20s');
  return town.card(channel, (card) => messageText(card).includes(words), words);
}

/** Opens a form by typing an incomplete command. */
export async function form(town: SandboxPeople, user: PersonName, line: string): Promise<Place> {
  const { ok, error } = await town.command({ user, channel: OPS, command: '/fleet', text: line });
  if (!ok) throw new Error(`/fleet ${line}: ${error}`);
  return opened(town, user);
}

/** Waits until a form is open and has its fields. */
export async function opened(town: SandboxPeople, user: PersonName): Promise<Place> {
  const hasFields = async () => JSON.stringify((await town.views(user)).modals).includes('"type":"input"');
  await until(hasFields, { what: 'a form', timeoutMs: 20_000 });
  return { user, at: OPS };
}
