/** Nothing is stuck, the audit is intact, and nothing was written that should not be. */
import { createHash } from 'node:crypto';
import { clockTime, parseJsonField, type Rule, type TableRow, type Violation } from './evidence.ts';
import { isHeld } from './rollouts.ts';

const MINUTE = 60_000;
/** Clocks of processes may differ. */
const OVERDUE_MS = 3 * MINUTE;
/** States of a request that somebody agreed to, or nobody had to. */
const STARTED: readonly unknown[] = ['approved', 'running', 'ended'];

/** What failed and was fixed before its card was posted needs none; the rule about alerts finds what is missing. */
const mayBeUnposted = (row: TableRow) =>
  row['ts'] === null && String(row['key']).startsWith('notice:patch-failed-');

export const nothingStuck: Rule = ({ tables, clock, unrest }) => {
  const rule = 'nothing is stuck';
  const work = tables.work
    .filter((row) => Number(row['due_at']) < clock - OVERDUE_MS || row['lease_token'] !== null)
    .map((row) => `work ${String(row['kind'])} ${String(row['key'])} was due at ${clockTime(row['due_at'])}`);
  const cards = tables.cards
    .filter((row) => row['failure'] === null && !mayBeUnposted(row))
    .filter((row) => row['ts'] === null || Number(row['wanted_revision']) > Number(row['shown_revision']))
    .map(
      (row) =>
        `card ${String(row['key'])} wants revision ${String(row['wanted_revision'])} and shows ${String(row['shown_revision'])}`,
    );
  const given = tables.cards
    .filter((row) => row['failure'] !== null)
    .map((row) => `card ${String(row['key'])} was given up: ${String(row['failure'])}`);
  const started = tables.requests.filter(({ state }) => STARTED.includes(state));
  // Those of a request that was denied stay ready for ever.
  const open = tables.request_targets
    .filter((row) => row['ended_at'] === null)
    .filter((row) => started.some(({ id }) => id === row['request_id']));
  // What was not sent of a rollout that is held waits for a person.
  const held = new Set(started.filter(isHeld).map(({ id }) => id));
  const targets = open
    .filter(
      (row) =>
        (row['state'] === 'ready' && !held.has(row['request_id'])) ||
        row['state'] === 'issuing' ||
        (row['state'] !== 'ready' && Number(row['deadline_at']) < clock - 5 * MINUTE),
    )
    .map((row) => `request ${String(row['request_id'])} is still ${String(row['state'])}`);
  const over = started
    .filter(({ state, id }) => state !== 'ended' && !open.some((row) => row['request_id'] === id))
    .map((row) => `request ${String(row['id'])} is ${String(row['state'])}, but all of it ended`);
  const requests = tables.requests
    .filter((row) => row['state'] === 'waiting' && Number(row['expires_at']) < clock - 5 * MINUTE)
    .map((row) => `request ${String(row['id'])} still waits`);
  const all = [...work, ...cards, ...given, ...targets, ...over, ...requests];
  const unsaid = all.length === 0 && unrest !== '' ? [`no rest: ${unrest.slice(0, 300)}`] : [];
  return [...all, ...unsaid].map((what) => ({ rule, what }));
};

/** Recomputes the chain from its description alone. */
export const auditIntact: Rule = ({ tables, organization }) => {
  const rule = 'the audit chain is intact';
  const rows = tables.audit.toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
  let previous = '';
  let number = 0;
  for (const row of rows) {
    number += 1;
    const detail = Object.entries(parseJsonField(row['detail'])).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const { sequence, at, actor, action, subject } = row;
    const canonical = [previous, organization, sequence, at, actor, action, subject, detail];
    previous = createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
    if (sequence !== number || row['hash'] !== previous)
      return [{ rule, what: `entry ${String(sequence)} does not follow from the one before it` }];
  }
  const [head] = tables.audit_heads;
  const ends = head === undefined ? number === 0 : head['sequence'] === number && head['hash'] === previous;
  return ends ? [] : [{ rule, what: `it ends at ${number}, its head says ${String(head?.['sequence'])}` }];
};

/** What Node and the product write after an unexpected error. */
const LEAK_PATTERNS = [
  /unhandled/i,
  /uncaught/i,
  /^Node\.js v\d/,
  /FATAL ERROR/,
  // These also follow a lost connection, which is harmless.
  /\bTypeError(?:: |","message":")(?!fetch failed|terminated)/,
  /\bReferenceError\b/,
];
const RESPONSE_URL = /https?:\/\/[^\s"]*\/(?:commands|actions|response)\/[A-Za-z0-9]+\/[^\s"[\]]+/;

export const noSecretsInLogs: Rule = ({ lines, messages, secrets }) => {
  const rule = 'nothing terrible is written';
  const leaks = (text: string) => secrets.some((secret) => text.includes(secret)) || RESPONSE_URL.test(text);
  const found: Violation[] = [];
  for (const line of lines) {
    if (LEAK_PATTERNS.some((pattern) => pattern.test(line))) found.push({ rule, what: line.slice(0, 300) });
    if (leaks(line)) found.push({ rule, what: `a line of the bot holds a secret: ${line.slice(0, 60)}…` });
  }
  for (const { key, text, blocks } of messages)
    if (leaks(text) || leaks(JSON.stringify(blocks)))
      found.push({ rule, what: `a message holds a secret: ${key ?? text.slice(0, 40)}` });
  return found;
};
