/** Buttons of alert cards: acknowledge and silence. */

import { kindWords } from '../../fleet/model/event-kinds.ts';
import { HOUR, type Instant } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { CardAcknowledgement } from '../../store/port/alert-records.ts';
import type { AlertKind, AlertRecord } from '../../store/port/records.ts';
import { type Button, context } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { type Mrkdwn, md, plainName } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block } from '../models/rendered-model.ts';
import { alertSubjectText } from './alert-text.ts';

const HOURS = 2;

/** Acknowledges the alert and all others on its card. Null once it is acknowledged. */
export function acknowledgeButton({ eventId, acknowledgedBy }: AlertRecord): Button | null {
  if (acknowledgedBy !== null) return null;
  return runButton({
    action: 'acknowledge',
    label: 'Acknowledge',
    command: 'acknowledge',
    input: { alert: eventId },
  });
}

/** The line of a card that says who acknowledged its alert. */
export function acknowledgedByText({
  acknowledgedBy: by,
  acknowledgedAt: at,
}: AlertRecord): readonly Block[] {
  return by === null ? [] : [acknowledgedText(md`Acknowledged`, by, at)];
}

/** The same for a grouped card, on which some alerts may still be open. */
export function acknowledgedCountText(
  alerts: number,
  acknowledgedCount: CardAcknowledgement | null,
): readonly Block[] {
  if (acknowledgedCount === null) return [];
  const { alerts: some, people, by, at } = acknowledgedCount;
  const last = people > 1 ? md`, last` : md``;
  return [
    acknowledgedText(
      some < alerts ? md`${some} of ${alerts} acknowledged${last}` : md`All ${alerts} acknowledged${last}`,
      by,
      at,
    ),
  ];
}

function acknowledgedText(what: Mrkdwn, by: PersonId, at: Instant | null): Block {
  return context(
    at === null
      ? md`${what} by ${mentionPerson(by)}.`
      : md`${what} by ${mentionPerson(by)} ${relativeDate(at)}.`,
  );
}

/** What each device reports once: a silence for one device would hold nothing, so it covers all devices. */
const ONCE_PER_DEVICE: ReadonlyMap<AlertKind, string> = new Map([
  ['device-added', `Silence new-device alerts for ${HOURS} h`],
  ['device-removed', `Silence removed-device alerts for ${HOURS} h`],
]);

/** Silences alerts of this kind for this device. Null for an alert without a device. */
export function silenceDeviceButton(alert: AlertRecord): Button | null {
  const { kind, deviceId } = alert;
  if (deviceId === null) return null;
  const label = ONCE_PER_DEVICE.get(kind);
  if (label !== undefined)
    return silenceButton(
      'kind',
      { kind, name: null, label },
      { events: [kind], device: null, package: null },
    );
  const about = { kind, name: alertSubjectText(alert) };
  return silenceButton('device', about, { events: [kind], device: deviceId, package: null });
}

/** Silences alerts of this kind about the same patch, on every device. */
export function silencePatchButton({ kind, packages }: AlertRecord): Button | null {
  const name = packages[0]?.name ?? null;
  return silenceButton('patch', { kind, name }, { events: [kind], device: null, package: name });
}

type SilencedAlerts = { readonly kind: AlertKind; readonly name: string | null; readonly label?: string };

function silenceButton(suffix: string, about: SilencedAlerts, scope: object): Button | null {
  return runButton({
    action: `silence:${suffix}`,
    label: about.label ?? silenceLabel(about),
    command: 'silence',
    input: { ...scope, group: null, lasts: { for: HOURS * HOUR }, reason: null },
    confirm: {
      title: 'Silence these alerts?',
      text: `${silencedText(about)} are held for ${HOURS} hours, in every channel. Then each channel with held alerts gets a count.`,
      confirm: 'Silence',
    },
  });
}

/** Such as `Silence web-01 patch failures for 2 h`; a long name is cut, so that the hours stay. */
function silenceLabel({ kind, name }: SilencedAlerts): string {
  const end = `${kindWords(kind).many} for ${HOURS} h`;
  if (name === null) return `Silence ${end}`;
  const room = LIMIT.buttonText - `Silence  ${end}`.length;
  return `Silence ${plainName(name, room)} ${end}`;
}

function silencedText({ kind, name }: SilencedAlerts): string {
  const alerts = `“${kindWords(kind).title}” alerts`;
  return name === null ? alerts : `${alerts} for ${plainName(name)}`;
}
