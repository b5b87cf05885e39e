/** How the packages of many devices were read: which way, and which could not be. */
import type { RolloutSummary } from '../../rollout/summary.ts';
import { type Mrkdwn, md } from '../kit/escape.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { PackageReading } from '../models/software-model.ts';
import { countText } from '../text/common-text.ts';

/** Notes below an answer that rests on the packages of many devices. */
export function packageReadingNotes(reading: PackageReading): readonly Mrkdwn[] {
  const { unread, oldest } = reading;
  return [
    ...(oldest === null
      ? []
      : [
          md`Package data from ${relativeDate(oldest)} or later, ${sourceText(reading)}. Packages ignored or deferred in the management service aren’t counted.`,
        ]),
    ...(unread === 0 ? [] : [md`Couldn’t read the packages of ${countText(unread, 'device')}.`]),
  ];
}

/** Which way the packages were read. */
function sourceText({ looked, fromList }: Pick<PackageReading, 'looked' | 'fromList'>): Mrkdwn {
  if (fromList === 0) return md`read device by device`;
  if (fromList === looked) return md`read from the fleet-wide list`;
  return md`read from the fleet-wide list for ${countText(fromList, 'device')}, and one by one for ${looked - fromList}`;
}

/** How the packages were read by which the devices of a request were selected. */
export function selectedByText({ packagesRead }: Pick<RolloutSummary, 'packagesRead'>): readonly Mrkdwn[] {
  if (packagesRead === undefined) return [];
  const source = sourceText(packagesRead);
  const age = relativeDate(packagesRead.oldest);
  return [md`Devices selected by their missing packages, ${source}. Package data from ${age} or later.`];
}

/** How many devices were checked. Only devices with missing patches need to be. `whole`: more about them. */
export function checkedText({ candidates, looked, isGoing }: PackageReading, whole: Mrkdwn = md``): Mrkdwn {
  const of = md`${countText(candidates, 'device')} with missing patches${whole}`;
  if (looked === candidates) return md`Checked all ${of}.`;
  const on = isGoing ? md`Still checking. Run this again in a minute.` : md`Run this again to check more.`;
  return md`Checked ${looked} of ${of}. ${on}`;
}
