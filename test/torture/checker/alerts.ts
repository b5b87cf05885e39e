/** Every event that should alert is shown exactly once: on its own card, or counted on a group's card. */
import {
  clockTime,
  type Evidence,
  type LoggedEvent,
  type Rule,
  type TableRow,
  type Violation,
} from './evidence.ts';

const WANTED: Readonly<Record<string, 'patch-failed' | 'device-added'>> = {
  'system.patch.failed': 'patch-failed',
  'system.add': 'device-added',
};
const RULE = 'alert shown exactly once';

export const alertsShownOnce: Rule = (evidence) =>
  evidence.events.flatMap((event) => {
    const kind = WANTED[event.name];
    if (kind === undefined) return [];
    const what = whatIsWrong(evidence, event, kind);
    return what === null
      ? []
      : [{ rule: RULE, what: `event ${event.id} (${kind}, ${event.device}): ${what}` }];
  });

function whatIsWrong(
  { tables, fixedChannels, messages }: Evidence,
  event: LoggedEvent,
  kind: 'patch-failed' | 'device-added',
): string | null {
  const alerts = tables.notices.filter((row) => row['event_id'] === event.id && row['kind'] === kind);
  const [alert] = alerts;
  if (alert === undefined) return 'never taken in';
  if (alerts.length > 1) return `taken in ${alerts.length} times`;
  const channel = fixedChannels[kind];
  const delivery = tables.deliveries.find(
    (row) => row['notice_id'] === alert['id'] && row['channel'] === channel,
  );
  if (delivery === undefined) return 'went to no card of its channel';
  if (delivery['silence'] !== null && delivery['silence'] !== undefined)
    return silenced(tables.silences, delivery['silence'], alert);
  const key = `notice:${String(delivery['card'])}`;
  const shown = messages.filter((one) => one.key === key && !one.ephemeral);
  const [card] = shown;
  if (card === undefined) return `its card ${key} is not shown`;
  if (shown.length > 1) return `its card ${key} is shown ${shown.length} times`;
  if (card.place !== channel) return `its card ${key} is in ${card.place}`;
  return misses(tables.deliveries, card, delivery, [event.device, alert['device_name']]);
}

/** A single alert's card names the device; a group's card has the number of alerts or devices. */
function misses(
  deliveries: readonly TableRow[],
  card: { readonly text: string; readonly blocks: readonly unknown[] },
  delivery: TableRow,
  names: readonly unknown[],
): string | null {
  const words = `${card.text} ${JSON.stringify(card.blocks)}`;
  const together = deliveries.filter(
    (row) => row['card'] === delivery['card'] && row['channel'] === delivery['channel'],
  );
  if (together.length > 1)
    return new RegExp(`\\b${together.length}\\b`).test(words)
      ? null
      : `its card does not say that there are ${together.length}`;
  const known = names.filter((name) => typeof name === 'string');
  return known.length === 0 || known.some((name) => words.includes(plainPart(name)))
    ? null
    : 'its card does not name the device';
}

/** The longest part of a name that no rendering changes. */
function plainPart(name: string): string {
  const parts = name.match(/[\w-]+/g) ?? [];
  return parts.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

function silenced(silences: readonly TableRow[], number: unknown, alert: TableRow): string | null {
  const silence = silences.find((row) => row['number'] === number);
  if (silence === undefined) return `kept by a silence ${String(number)} that there is not`;
  const ended = silence['ended_at'] ?? silence['until'];
  const before = Number(alert['created_at']) < Number(silence['created_at']) - SLACK_MS;
  const after = Number(alert['created_at']) > Number(ended) + SLACK_MS;
  return before || after
    ? `kept by silence ${String(number)} of another time (${clockTime(silence['created_at'])})`
    : null;
}

/** Clocks of processes may differ. */
const SLACK_MS = 5 * 60_000;

/** No message of a key is shown twice; a copy that only says where its card went has no key. */
export const nothingShownTwice: Rule = ({ messages }): readonly Violation[] => {
  const keyed = messages.filter(({ key, ephemeral }) => key !== null && !ephemeral);
  return [...Map.groupBy(keyed, ({ key }) => String(key))].flatMap(([key, copies]) =>
    copies.length === 1
      ? []
      : [
          {
            rule: 'message shown once',
            what: `${key} is shown ${copies.length} times (${copies.map(({ place, ts }) => `${place} ${ts}`).join(', ')})`,
          },
        ],
  );
};
