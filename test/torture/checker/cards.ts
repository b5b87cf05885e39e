/** Every visible card shows the state of the database, and offers nothing that is over. */
import {
  type Evidence,
  isFields,
  type Rule,
  type TableRow,
  type TableRows,
  type Violation,
  type VisibleMessage,
} from './evidence.ts';
import { progressOf } from './rollouts.ts';

/** For a command on several devices: the least advanced state, as on the card. */
const ORDER = [
  'waiting',
  'accepted',
  'queued',
  'answered',
  'unknown',
  'not_verified',
  'refused',
  'not_sent',
  'verified',
  'not_needed',
];
/** The word that people see for each internal state. */
const SHOWN_AS: Readonly<Record<string, string>> = {
  ready: 'waiting',
  issuing: 'waiting',
};
/** States of a request whose targets say more than its decision. */
const CARRIED_OUT: readonly unknown[] = ['approved', 'running', 'ended'];
const DECISIONS = /^(?:approve|deny|withdraw|cancel)(?::|$)/;
const CONTROLS = /^control:/;

export const cardsAreTrue: Rule = ({ tables, messages }) =>
  messages.flatMap((message): readonly Violation[] => {
    const { key, state } = message;
    const expected = key === null ? null : stateOf(tables, key);
    if (expected === null || expected === state) return [];
    const of = String(key).startsWith('told:') ? 'message' : 'card';
    return [
      {
        rule: 'visible cards show the state of the database',
        what: `the ${of} ${key} shows ${state}, the database says ${expected}`,
      },
    ];
  });

/** Null: the thing has no state, or is unknown here. */
function stateOf(tables: TableRows, key: string): string | null {
  const [kind = '', ...rest] = key.split(':');
  if (kind === 'told') return stateOf(tables, rest.join(':'));
  const request = requestOf(tables, key);
  if (request === undefined || kind === 'returned') return null;
  const { state } = request;
  if (!CARRIED_OUT.includes(state)) return String(state);
  // That of many devices is in the counts on the card.
  return progressOf(request) === null ? targetState(tables, request) : null;
}

/** The request that a card is about. */
function requestOf({ requests }: TableRows, key: string): TableRow | undefined {
  const [kind = '', ...rest] = key.split(':');
  if (kind !== 'approval' && kind !== 'operation' && kind !== 'returned') return undefined;
  // A message that it was returned or stands still: `returned:r_1.held.7@U1`.
  const id = rest.join(':').split(/[.@]/)[0];
  return requests.find((row) => row['id'] === id);
}

function targetState(tables: TableRows, request: TableRow): string | null {
  const targets = tables.request_targets.filter((row) => row['request_id'] === request['id']);
  const states = new Set(targets.map(({ state }) => SHOWN_AS[String(state)] ?? String(state)));
  if (states.size === 1) return [...states][0] ?? null;
  return ORDER.find((state) => states.has(state)) ?? null;
}

/** Recorded messages exist, and existing messages are recorded. */
export const cardsAreRecorded: Rule = ({ tables, messages }) => {
  const shown = messages.filter(({ key, ephemeral }) => key !== null && !ephemeral);
  const recorded = tables.cards.filter(({ ts }) => ts !== null);
  const lost = recorded.filter((row) => !shown.some(({ key, ts }) => key === row['key'] && ts === row['ts']));
  const strays = shown.filter(
    ({ key, ts }) => !recorded.some((row) => row['key'] === key && row['ts'] === ts),
  );
  const rule = 'shown cards are the recorded ones';
  return [
    ...lost.map((row) => ({
      rule,
      what: `${String(row['key'])} is recorded at ${String(row['ts'])} and not shown`,
    })),
    ...strays.map(({ key, place, ts }) => ({
      rule,
      what: `${key} is shown in ${place} at ${ts} and not recorded`,
    })),
  ];
};

export const noLiveButtons: Rule = (evidence) =>
  evidence.messages.flatMap((message): readonly Violation[] => {
    const decisions = isOpen(evidence, message) ? [] : buttonsIn(message, DECISIONS);
    const controls = goesOn(evidence, message) ? [] : buttonsIn(message, CONTROLS);
    const live = [...decisions, ...controls.filter((id) => id !== CLOSE || !isRunning(evidence, message))];
    if (live.length === 0) return [];
    return [
      {
        rule: 'no live button on an ended card',
        what: `${message.key ?? message.text.slice(0, 80)} still offers ${live.join(', ')}`,
      },
    ];
  });

function isOpen({ tables }: Evidence, { key }: VisibleMessage): boolean {
  if (key === null) return true;
  // Approved but not sent yet is shown as waiting too, but no longer open to a decision.
  return requestOf(tables, key)?.['state'] === 'waiting';
}

/** What waits only for offline devices can be closed, though nothing is left to be sent. */
const CLOSE = 'control:close';

function isRunning({ tables }: Evidence, { key }: VisibleMessage): boolean {
  const state = key === null ? null : requestOf(tables, key)?.['state'];
  return state === 'approved' || state === 'running';
}

/** Whether something of a rollout may still be sent. */
function goesOn(evidence: Evidence, message: VisibleMessage): boolean {
  const { tables } = evidence;
  if (message.key === null) return true;
  if (!isRunning(evidence, message)) return false;
  const id = requestOf(tables, message.key)?.['id'];
  return tables.request_targets.some(
    (row) => row['request_id'] === id && (row['state'] === 'ready' || row['state'] === 'issuing'),
  );
}

function buttonsIn({ blocks }: VisibleMessage, wanted: RegExp): readonly string[] {
  return blocks
    .filter(isFields)
    .flatMap(({ elements }) => (Array.isArray(elements) ? elements.filter(isFields) : []))
    .map(({ action_id: id }) => String(id))
    .filter((id) => wanted.test(id));
}
