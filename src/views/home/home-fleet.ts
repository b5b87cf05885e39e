/** The fleet at a glance: each number in words, with a bar beside it. */

import { actions, type Button, context, section } from '../kit/blocks.ts';
import { bar } from '../kit/charts.ts';
import { runButton } from '../kit/command-buttons.ts';
import { joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block } from '../model.ts';
import { countText } from '../text/common-text.ts';
import type { FleetGlance } from './home-model.ts';

const TITLE = md`*The fleet*`;

export function fleetBlocks(fleet: FleetGlance): readonly Block[] {
  switch (fleet.kind) {
    case 'reading':
      return [section(md`${TITLE}\nReading the fleet. The numbers will appear here shortly.`)];
    case 'unread':
      return [
        section(md`${TITLE}\nCouldn’t read the fleet from the management service. Patchbay will try again.`),
      ];
    case 'counted':
      return [
        section(md`${TITLE}\n${joinMrkdwn(numberRows(fleet), '\n')}`),
        context(...fleetNotes(fleet)),
        ...actions(
          listButton('noncompliant', 'Not compliant', fleet.noncompliant),
          listButton('pending', 'Pending patches', fleet.pending),
          listButton('offline', 'Offline', fleet.offline),
          listButton('needs-reboot', 'Reboot required', fleet.needsReboot),
        ),
      ];
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
}: CountedFleet): readonly Mrkdwn[] {
  const unstated = devices - compliant - noncompliant;
  const rest = unstated === 0 ? md`` : md`, ${unstated} unknown`;
  return [
    md`${bar(compliant, devices)} *${compliant}* of ${countText(devices, 'device')} compliant, *${noncompliant}* not compliant${rest}`,
    md`${bar(pending, devices)} *${pending}* with pending patches`,
    md`${bar(offline, devices)} *${offline}* offline`,
    md`${bar(needsReboot, devices)} *${needsReboot}* with reboot required`,
  ];
}

function fleetNotes({ asOf, unlisted, partial, overdue }: CountedFleet): readonly Mrkdwn[] {
  return [
    md`As of ${relativeDate(asOf)}.`,
    partial ? md`First read in progress: these numbers are partial.` : null,
    overdue ? md`Couldn’t refresh: these are the last known numbers.` : null,
    unlisted === 0 ? null : md`Up to ${countText(unlisted, 'device')} not counted.`,
  ].filter((line) => line !== null);
}

/** Lists the devices behind a number. */
function listButton(condition: string, label: string, number: number): Button | null {
  if (number === 0) return null;
  return runButton({
    action: `devices:${condition.replace('-', '')}`,
    label: `${label} (${number})`,
    command: 'devices',
    input: { words: [], filters: [{ key: 'is', value: condition, negated: false }] },
  });
}
