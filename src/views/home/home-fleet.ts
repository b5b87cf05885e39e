/** The fleet at a glance: each number in words, with a bar beside it. */

import { actions, type Button, context, section } from '../kit/blocks.ts';
import { bar } from '../kit/charts.ts';
import { joined, type Mrkdwn, md } from '../kit/escape.ts';
import { runButton } from '../kit/run-button.ts';
import { when } from '../kit/when.ts';
import type { Block } from '../model.ts';
import { count } from '../words.ts';
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
        section(md`${TITLE}\n${joined(rows(fleet), '\n')}`),
        context(...notes(fleet)),
        ...actions(
          list('noncompliant', 'Not compliant', fleet.noncompliant),
          list('pending', 'Pending patches', fleet.pending),
          list('offline', 'Offline', fleet.offline),
          list('needs-reboot', 'Reboot required', fleet.needsReboot),
        ),
      ];
  }
}

type Counted = Extract<FleetGlance, { kind: 'counted' }>;

function rows({
  devices,
  compliant,
  noncompliant,
  pending,
  offline,
  needsReboot,
}: Counted): readonly Mrkdwn[] {
  const unstated = devices - compliant - noncompliant;
  const rest = unstated === 0 ? md`` : md`, ${unstated} unknown`;
  return [
    md`${bar(compliant, devices)} *${compliant}* of ${count(devices, 'device')} compliant, *${noncompliant}* not compliant${rest}`,
    md`${bar(pending, devices)} *${pending}* with pending patches`,
    md`${bar(offline, devices)} *${offline}* offline`,
    md`${bar(needsReboot, devices)} *${needsReboot}* with reboot required`,
  ];
}

function notes({ asOf, unlisted, partial, overdue }: Counted): readonly Mrkdwn[] {
  return [
    md`As of ${when(asOf)}.`,
    partial ? md`First read in progress: these numbers are partial.` : null,
    overdue ? md`Couldn’t refresh: these are the last known numbers.` : null,
    unlisted === 0 ? null : md`Up to ${count(unlisted, 'device')} not counted.`,
  ].filter((note) => note !== null);
}

/** Lists the devices behind a number. */
function list(condition: string, label: string, number: number): Button | null {
  if (number === 0) return null;
  return runButton({
    action: `devices:${condition.replace('-', '')}`,
    label: `${label} (${number})`,
    command: 'devices',
    input: { words: [], filters: [{ key: 'is', value: condition, negated: false }] },
  });
}
