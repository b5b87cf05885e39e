/** How Patchbay itself is doing. */
import type { CallFigures } from '../fleet/calls.ts';
import { context, fields, section } from './kit/blocks.ts';
import { joined, literal, type Mrkdwn, md, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { SIGN } from './kit/signs.ts';
import { when, whenOr } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { pausedBy } from './pause.ts';
import { troubleWords } from './troubles.ts';
import { count } from './words.ts';

type StatusView = Extract<View, { kind: 'status' }>;
type Health = StatusView['health'];
type Outcome = keyof CallFigures['outcomes'];

export function renderStatus({ health, index, pause, asOf }: StatusView): RenderedMessage {
  const faults = faultsOf(health, index);
  const sum =
    faults.length > 0
      ? md`${trusted(SIGN.warning)} *Patchbay needs attention:* ${joined(faults, ', ')}`
      : health.troubles.length > 0
        ? md`${trusted(SIGN.warning)} *Patchbay needs attention*`
        : md`${trusted(SIGN.good)} *All checks passed*`;
  return message({
    text: sum,
    body: [
      section(sum),
      ...(pause === null
        ? []
        : [section(md`${trusted(SIGN.warning)} *All changes are paused* ${pausedBy(pause)}.`)]),
      ...health.troubles.map((shown) => {
        const { what, next } = troubleWords(shown);
        return section(md`${trusted(SIGN.failed)} *Problem:* ${what}\n${next}`);
      }),
      ...fields(facts(health, index)),
    ],
    end: [context(md`Version ${literal(health.version, SHOWN.label)}. Checked ${when(asOf)}.`)],
  });
}

function faultsOf({ slack, database, events, calls }: Health, index: StatusView['index']) {
  return [
    slack ? null : md`Slack`,
    database ? null : md`the database`,
    events.lastSuccess !== null && events.failures === 0 ? null : md`the event log`,
    calls.breaker.state === 'closed' && index !== null ? null : md`the management service`,
  ].filter((fault) => fault !== null);
}

function facts(health: Health, index: StatusView['index']) {
  const { slack, database, events, calls } = health;
  const { running, waiting } = calls;
  return [
    { label: 'Slack', value: slack ? md`Connected` : md`Not connected` },
    { label: 'Database', value: database ? md`Connected` : md`Not responding` },
    { label: 'Event log', value: eventLog(events) },
    ...outboxFacts(health),
    { label: 'Management service', value: breaker(calls) },
    { label: 'Requests available now', value: free(calls) },
    {
      label: 'Requests to the service',
      value: md`${running} running, ${waiting.person + waiting.background} waiting (${waiting.person} interactive)`,
    },
    { label: 'Answers since start', value: outcomes(calls) },
    {
      label: 'Device index',
      value:
        index === null
          ? md`Not available from the management service`
          : md`${count(index.devices, 'device')}, read ${when(index.asOf)}`,
    },
  ];
}

/** What should be in Slack and is not, and when something was last written. */
function outboxFacts({ outbox, wroteAt }: Health) {
  const last = [
    { label: 'Last message to Slack', value: whenOr(wroteAt.slack, 'None since start') },
    { label: 'Last database write', value: whenOr(wroteAt.database, 'None since start') },
  ];
  if (outbox === null) return last;
  const { waiting, waitingAlerts, oldestAt, givenUp } = outbox;
  const since = oldestAt === null ? md`` : md`, the oldest since ${when(oldestAt)}`;
  const rows = [
    { label: 'Messages waiting for Slack', value: md`${waiting} (${count(waitingAlerts, 'alert')})${since}` },
  ];
  if (givenUp > 0)
    rows.push({ label: 'Refused by Slack in the last 24 hours', value: count(givenUp, 'message') });
  return [...rows, ...last];
}

function eventLog({ lastSuccess, failures }: Health['events']): Mrkdwn {
  const read = lastSuccess === null ? md`Not read yet` : md`Read ${when(lastSuccess)}`;
  return failures === 0 ? read : md`${read}, failed ${count(failures, 'time')} since then`;
}

function breaker({ breaker: { state, retryInMs }, pausedForMs }: CallFigures): Mrkdwn {
  const paused = pausedForMs === 0 ? md`` : md`, rate limited for ${seconds(pausedForMs)}`;
  switch (state) {
    case 'closed':
      return md`Healthy${paused}`;
    case 'open':
      return md`Failing: requests paused for ${seconds(retryInMs)}${paused}`;
    case 'half-open':
      return md`Failing: testing with one request${paused}`;
  }
}

/** What each limit would take now. */
function free({ tokens }: CallFigures): Mrkdwn {
  const { lists, window } = tokens;
  const parts = [
    window === undefined ? null : md`${window} in total`,
    lists === undefined ? null : md`${lists} for device lists`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? md`No limit` : joined(parts, ', ');
}

/** That something is not there is an answer, too. */
function outcomes({ outcomes: counted }: CallFigures): Mrkdwn {
  const { answered = 0, missing = 0 } = counted;
  const all = md`${answered + missing}${missing === 0 ? md`` : md` (${missing} not found)`}`;
  const failures = FAILURES.flatMap(([kind, words]) => {
    const times = counted[kind] ?? 0;
    return times === 0 ? [] : [md`${trusted(words)} ${times}`];
  });
  return failures.length === 0 ? all : md`${all}; failed: ${joined(failures, ', ')}`;
}

const FAILURE_WORDS: Readonly<Record<Exclude<Outcome, 'answered' | 'missing'>, string>> = {
  timeout: 'no answer in time',
  unreachable: 'no connection',
  broken: 'service errors',
  throttled: 'rate limited',
  unauthorized: 'key refused',
  forbidden: 'not allowed or gone',
  invalid: 'request refused',
  unreadable: 'unreadable answer',
  'too-large': 'answer too large',
  held: 'held back by Patchbay',
};
const FAILURES = Object.entries(FAILURE_WORDS) as readonly (readonly [keyof typeof FAILURE_WORDS, string])[];

function seconds(ms: number): Mrkdwn {
  return count(Math.ceil(ms / 1_000), 'second');
}
