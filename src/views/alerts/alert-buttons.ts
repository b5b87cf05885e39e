/** Buttons of alert cards: acknowledge and silence. */
import { HOUR, type Instant } from '../../clock.ts';
import { HAPPENINGS } from '../../fleet/happenings.ts';
import type { PersonId } from '../../ids.ts';
import type { CardTaken } from '../../store/alert-records.ts';
import type { AlertRecord } from '../../store/records.ts';
import { type Button, context } from '../kit/blocks.ts';
import { cut, type Mrkdwn, md, oneLine } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { person } from '../kit/mentions.ts';
import { runButton } from '../kit/run-button.ts';
import { when } from '../kit/when.ts';
import type { Block } from '../model.ts';
import { alertSubject } from './alert-words.ts';

const HOURS = 2;

export function acknowledgeButton({ eventId, acknowledgedBy }: AlertRecord): Button | null {
  if (acknowledgedBy !== null) return null;
  return runButton({
    action: 'acknowledge',
    label: 'Acknowledge',
    command: 'acknowledge',
    input: { alert: eventId },
  });
}

/** Who acknowledged it, for all who see the card. */
export function takenBy({ acknowledgedBy: by, acknowledgedAt: at }: AlertRecord): readonly Block[] {
  return by === null ? [] : [acknowledged(md`Acknowledged`, by, at)];
}

/** The same for a card of several alerts, of which some may be open. */
export function takenOf(alerts: number, taken: CardTaken | null): readonly Block[] {
  if (taken === null) return [];
  const { alerts: some, people, by, at } = taken;
  const last = people > 1 ? md`, last` : md``;
  return [
    acknowledged(
      some < alerts ? md`${some} of ${alerts} acknowledged${last}` : md`All ${alerts} acknowledged${last}`,
      by,
      at,
    ),
  ];
}

function acknowledged(what: Mrkdwn, by: PersonId, at: Instant | null): Block {
  return context(at === null ? md`${what} by ${person(by)}.` : md`${what} by ${person(by)} ${when(at)}.`);
}

/** Holds alerts of this kind for the one device. */
export function silenceDeviceButton(alert: AlertRecord): Button | null {
  const { kind, deviceId } = alert;
  if (deviceId === null) return null;
  const name = cut(oneLine(alertSubject(alert)), SHOWN.label);
  return silenceButton('device', `“${HAPPENINGS[kind].title}” alerts for ${name}`, {
    events: [kind],
    device: deviceId,
    package: null,
  });
}

/** Holds alerts of this kind about the same patch, whatever the device. */
export function silencePatchButton({ kind, packages }: AlertRecord): Button | null {
  const [first] = packages;
  const about = first === undefined ? '' : ` for ${cut(oneLine(first.name), SHOWN.label)}`;
  return silenceButton('patch', `“${HAPPENINGS[kind].title}” alerts${about}`, {
    events: [kind],
    device: null,
    package: first?.name ?? null,
  });
}

function silenceButton(suffix: string, what: string, scope: object): Button | null {
  return runButton({
    action: `silence:${suffix}`,
    label: `Silence for ${HOURS} hours`,
    command: 'silence',
    input: { ...scope, group: null, lasts: { for: HOURS * HOUR }, reason: null },
    confirm: {
      title: 'Silence these alerts?',
      text: `${what} are held for ${HOURS} hours, in every channel. Then you’ll get a count.`,
      confirm: 'Silence',
    },
  });
}
