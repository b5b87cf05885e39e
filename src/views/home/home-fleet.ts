/** The fleet in numbers, with a button for the devices behind each. */

import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import { doubtText } from '../fleet/completeness.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block } from '../models/rendered-model.ts';
import { countText } from '../text/common-text.ts';
import type { FleetGlance } from './home-model.ts';

const TITLE = md`*The fleet*`;

/** Numbers this much older than the page have a time of their own. */
const NOTABLE_AGE_MS = MINUTE;

/** `now`: the time that the page states for everything on it. */
export function fleetBlocks(fleet: FleetGlance, now: Instant): readonly Block[] {
  switch (fleet.kind) {
    case 'reading':
      return [section(md`${TITLE}\nReading the fleet. The numbers will appear here shortly.`)];
    case 'unread':
      return [
        section(md`${TITLE}\nCouldn’t read the fleet from the management service. Patchbay will try again.`),
      ];
    case 'counted': {
      const notes = fleetNotes(fleet, now);
      return [
        section(md`${TITLE}\n${joinMrkdwn(numberRows(fleet), '\n')}`),
        ...(notes.length === 0 ? [] : [context(...notes)]),
        ...actions(
          listButton('noncompliant', 'Show noncompliant', fleet.noncompliant),
          listButton('pending', 'Show pending patches', fleet.pending),
          listButton('offline', 'Show offline', fleet.offline),
          listButton('needs-reboot', 'Show required reboots', fleet.needsReboot),
        ),
      ];
    }
  }
}

type CountedFleet = Extract<FleetGlance, { kind: 'counted' }>;

function numberRows({
  devices,
  compliant,
  noncompliant,
  pending,
  offline,
  needsReboot,
  unknown,
}: CountedFleet): readonly Mrkdwn[] {
  const unclear = (number = 0) => (number === 0 ? md`` : md` (${number} unknown)`);
  const unstated = devices - compliant - noncompliant;
  const rest = unstated === 0 ? md`` : md`, ${unstated} unknown`;
  return [
    md`*${noncompliant}* of ${countText(devices, 'device')} not compliant (${compliant} compliant${rest})`,
    md`*${pending}* with pending patches${unclear(unknown?.pending)}`,
    md`*${offline}* offline${unclear(unknown?.connection)}`,
    md`*${needsReboot}* ${needsReboot === 1 ? md`requires` : md`require`} a reboot${unclear(unknown?.needsReboot)}`,
  ];
}

function fleetNotes(
  { asOf, unlisted, partial, overdue, doubts = [] }: CountedFleet,
  now: Instant,
): readonly Mrkdwn[] {
  return [
    later(asOf, NOTABLE_AGE_MS) > now ? null : md`Device data from ${relativeDate(asOf)}.`,
    partial ? md`First read in progress: these numbers are partial.` : null,
    overdue ? md`Couldn’t refresh: these are the last known numbers.` : null,
    ...doubts.map(doubtText),
    unlisted === 0 ? null : md`Up to ${countText(unlisted, 'device')} not counted.`,
  ].filter((line) => line !== null);
}

/** Lists the devices behind a number. */
function listButton(condition: string, label: string, number: number): Button | null {
  if (number === 0) return null;
  return runButton({
    action: `devices:${condition.replace('-', '')}`,
    label,
    command: 'devices',
    input: { words: [], filters: [{ key: 'is', value: condition, negated: false }] },
  });
}
