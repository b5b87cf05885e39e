/** A screen: what happens in a fresh sandbox, and who then looks at which place. */
import type { SeenMessage } from '../../src/sandbox/contracts/people.ts';
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
  readonly draw: (people: SandboxPeople) => Promise<Place>;
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
  people: SandboxPeople,
  line: string,
  subject: string,
  user: PersonName = 'operator',
): Promise<PostedCard> {
  const before = new Set((await people.posts(APPROVALS)).map(({ ts }) => ts));
  await people.runs(user, line);
  return people.card(
    APPROVALS,
    (card) => !before.has(card.ts) && messageText(card).includes(subject),
    `a request about ${subject}`,
  );
}

/** The same, approved by the approver and followed to this state. */
export async function approved(
  people: SandboxPeople,
  line: string,
  subject: string,
  state: string,
  patience = '15m',
): Promise<PostedCard> {
  const card = await requested(people, line, subject);
  await people.push('approver', card, 'approve');
  return people.becomes(card, state, patience);
}

const rebootLine = (name: string) => `reboot ${name} because kernel update`;

/** A request to reboot this device. */
export const reboot = (people: SandboxPeople, name: string): Promise<PostedCard> =>
  requested(people, rebootLine(name), name);

/** A reboot of this device, approved and followed to this state. */
export const rebootUntil = (people: SandboxPeople, name: string, state: string, patience?: string) =>
  approved(people, rebootLine(name), name, state, patience);

/** A request to reboot this device, ended by this press on its card. */
export async function rebootEnded(
  people: SandboxPeople,
  name: string,
  press: 'deny' | 'withdraw',
): Promise<void> {
  const card = await reboot(people, name);
  await people.push(press === 'deny' ? 'approver' : 'operator', card, press);
  await people.becomes(card, press === 'deny' ? 'denied' : 'withdrawn');
}

const latest = (people: SandboxPeople, { channel, ts }: PostedCard): Promise<PostedCard> =>
  people.card(channel, (card) => card.ts === ts);

/** Waits until the card has changed. */
export async function changed(people: SandboxPeople, card: PostedCard): Promise<SeenMessage> {
  const shown = JSON.stringify(card.blocks);
  return until(
    async () => {
      const now = await latest(people, card);
      return JSON.stringify(now.blocks) === shown ? null : now;
    },
    { what: `another look of the card ${card.ts}`, timeoutMs: 20_000 },
  );
}

/** Waits for one of these states without moving the clock. */
export async function reaches(
  people: SandboxPeople,
  card: PostedCard,
  states: readonly string[],
): Promise<void> {
  await until(async () => states.includes(stateOf(await latest(people, card)) ?? ''), {
    what: `a state of ${states.join(', ')}`,
    timeoutMs: 20_000,
  });
}

/** Waits for an alert or notice with these words. */
export async function announced(people: SandboxPeople, channel: string, words: string): Promise<PostedCard> {
  await people.advance('20s');
  return people.card(channel, (card) => messageText(card).includes(words), words);
}

/** Opens a form by typing an incomplete command. */
export async function form(people: SandboxPeople, user: PersonName, line: string): Promise<Place> {
  const { ok, error } = await people.command({ user, channel: OPS, command: '/fleet', text: line });
  if (!ok) throw new Error(`/fleet ${line}: ${error}`);
  return opened(people, user);
}

/** Waits until a form is open and has its fields. */
export async function opened(people: SandboxPeople, user: PersonName): Promise<Place> {
  const hasFields = async () => JSON.stringify((await people.views(user)).modals).includes('"type":"input"');
  await until(hasFields, { what: 'a form', timeoutMs: 20_000 });
  return { user, at: OPS };
}
