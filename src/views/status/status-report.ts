/** The answer to `status`: the health of Patchbay and what it depends on; and to `accept-removals`. */
import type { CallFigures } from '../../fleet/http/calls.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import { activeSilenceBlocks } from '../alerts/subscription-list.ts';
import { actions, context, fields, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { HealthReport } from '../models/health-model.ts';
import type { DoubtedList } from '../models/list-model.ts';
import { countText } from '../text/common-text.ts';
import { pausedByText } from './pause-card.ts';
import { healthTitle, troubleBlock, troubleMarkup } from './trouble-text.ts';

type StatusView = {
  readonly kind: 'status';
  readonly health: HealthReport;
  /** Null: the devices were not read in time. */
  readonly index: { readonly devices: number; readonly asOf: Instant } | null;
  /** Null: changes are not paused. */
  readonly pause: PauseRecord | null;
  readonly asOf: Instant;
};

type Health = StatusView['health'];
type Outcome = keyof CallFigures['outcomes'];

export function renderStatus({ health, index, pause, asOf }: StatusView): RenderedMessage {
  const sum = healthTitle(health.troubles);
  return buildMessage({
    text: sum,
    body: [
      section(sum),
      ...(pause === null
        ? []
        : [section(md`${trustedMrkdwn(SIGN.warning)} *All changes are paused* ${pausedByText(pause)}.`)]),
      ...health.troubles.map(troubleBlock),
      ...acceptButton(health.troubles.flatMap(({ trouble }) => ('list' in trouble ? [trouble] : []))),
      ...activeSilenceBlocks(health.silences),
      ...fields(statusFacts(health, index)),
    ],
    footer: [
      context(
        md`Version ${escapeMrkdwn(health.version, DISPLAY_LIMIT.label)}. Checked ${relativeDate(asOf)}.`,
      ),
    ],
  });
}

function statusFacts(health: Health, index: StatusView['index']) {
  const { slack, database, events, calls } = health;
  return [
    { label: 'Slack', value: slack ? md`Connected` : md`Not connected` },
    { label: 'Database', value: database ? md`Connected` : md`Not responding` },
    { label: 'Event log', value: eventLogText(events) },
    ...outboxText(health),
    { label: 'Management service', value: breakerText(calls) },
    { label: 'API calls available now', value: freeCallsText(calls) },
    ...callsInProgress(calls),
    { label: 'API calls since start', value: outcomesText(calls) },
    {
      label: 'Device list',
      value:
        index === null
          ? md`Not read yet`
          : md`${countText(index.devices, 'device')}, read ${relativeDate(index.asOf)}`,
    },
  ];
}

/** Empty where no call is running or queued. */
function callsInProgress({ running, waiting: { person, background } }: CallFigures) {
  const waiting = person + background;
  if (running + waiting === 0) return [];
  const forPeople = person === 0 ? md`` : md` (${person} that a person waits for)`;
  return [{ label: 'API calls in progress', value: md`${running} running, ${waiting} queued${forPeople}` }];
}

/** Messages that Slack does not have yet, and the times of the last writes. */
function outboxText({ outbox, wroteAt }: Health) {
  const last = [
    { label: 'Last message to Slack', value: dateOr(wroteAt.slack, 'None since start') },
    { label: 'Last database write', value: dateOr(wroteAt.database, 'None since start') },
  ];
  if (outbox === null) return last;
  const { waiting, waitingAlerts, oldestAt, givenUp } = outbox;
  const since = oldestAt === null ? md`` : md`, the oldest since ${relativeDate(oldestAt)}`;
  const alerts = waitingAlerts === 0 ? md`` : md` (${countText(waitingAlerts, 'alert')})`;
  const queued = waiting === 0 ? md`None` : md`${waiting}${alerts}${since}`;
  const rows = [{ label: 'Messages waiting for Slack', value: queued }];
  if (givenUp > 0)
    rows.push({ label: 'Refused by Slack in the last 24 hours', value: countText(givenUp, 'message') });
  return [...rows, ...last];
}

function eventLogText({ lastSuccess, failures }: Health['events']): Mrkdwn {
  const read = lastSuccess === null ? md`Not read yet` : md`Read ${relativeDate(lastSuccess)}`;
  return failures === 0 ? read : md`${read}, failed ${countText(failures, 'time')} since then`;
}

function breakerText({ breaker: { state, retryInMs, failing }, pausedForMs }: CallFigures): Mrkdwn {
  const paused = pausedForMs === 0 ? md`` : md`, rate limited for ${secondsText(pausedForMs)}`;
  switch (state) {
    case 'closed':
      return failing === null ? md`Healthy${paused}` : md`Rejects the API key (401)${paused}`;
    case 'open':
      return md`Failing: requests paused for ${secondsText(retryInMs)}${paused}`;
    case 'half-open':
      return md`Failing: checking whether it answers again${paused}`;
  }
}

/** How many calls each rate limit allows now. */
function freeCallsText({ tokens, capacities }: CallFigures): Mrkdwn {
  const { lists, window } = tokens;
  const parts = [
    window === undefined ? null : md`${window}${ofCapacity(capacities['window'])} in total`,
    lists === undefined ? null : md`${lists}${ofCapacity(capacities['lists'])} for device lists`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? md`No limit` : joinMrkdwn(parts, ', ');
}

function ofCapacity(capacity: number | undefined): Mrkdwn {
  return capacity === undefined ? md`` : md` of ${capacity}`;
}

/** "Not found" counts as an answer. */
function outcomesText({ outcomes: counted }: CallFigures): Mrkdwn {
  const { answered = 0, missing = 0 } = counted;
  const all = md`${answered + missing} answered${missing === 0 ? md`` : md` (including ${missing} “not found”)`}`;
  const failures = FAILURES.flatMap(([kind, words]) => {
    const times = counted[kind] ?? 0;
    return times === 0 ? [] : [md`${trustedMrkdwn(words)} ${times}`];
  });
  return failures.length === 0 ? md`${all}, none failed` : md`${all}; failed: ${joinMrkdwn(failures, ', ')}`;
}

const FAILURE_TEXTS: Readonly<Record<Exclude<Outcome, 'answered' | 'missing'>, string>> = {
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
const FAILURES = Object.entries(FAILURE_TEXTS) as readonly (readonly [keyof typeof FAILURE_TEXTS, string])[];

function secondsText(ms: number): Mrkdwn {
  return countText(Math.ceil(ms / 1_000), 'second');
}

/** The answer to `accept-removals`. `grown`: more was missing than the admin accepted. */
type RemovalsView = {
  readonly kind: 'removals';
  readonly what: 'ask' | 'accepted' | 'grown';
  readonly doubts: readonly DoubtedList[];
};

export function renderRemovals({ what, doubts }: RemovalsView): RenderedMessage {
  const text = removalsText(what, doubts);
  return buildMessage({ text, body: [section(text), ...doubtBlocks(doubts)] });
}

function removalsText(what: RemovalsView['what'], doubts: readonly DoubtedList[]): Mrkdwn {
  if (what === 'grown')
    return md`${trustedMrkdwn(SIGN.warning)} The lists changed again. Nothing was removed.`;
  if (doubts.length > 0) return md`*Accept the removal?*`;
  return what === 'accepted'
    ? md`${trustedMrkdwn(SIGN.good)} Removal accepted.`
    : md`The management service’s lists are complete. There’s nothing to accept.`;
}

/** Empty where every list is believed. */
function doubtBlocks(doubts: readonly DoubtedList[]): readonly Block[] {
  const kept = doubts.map(({ since, ...doubt }) =>
    troubleMarkup({ trouble: { kind: 'list-doubted', ...doubt }, since }),
  );
  const [first] = kept;
  if (first === undefined) return [];
  const lines = kept.map(({ what }) => what);
  return [section(md`${joinMrkdwn(lines, '\n')}\n${first.next}`), ...acceptButton(doubts)];
}

function acceptButton(doubts: readonly Pick<DoubtedList, 'missing'>[]): readonly Block[] {
  if (doubts.length === 0) return [];
  return actions(
    runButton({
      action: 'accept',
      label: 'Accept removal',
      command: 'accept-removals',
      input: { missing: Math.max(...doubts.map(({ missing }) => missing)) },
      style: 'danger',
    }),
  );
}
