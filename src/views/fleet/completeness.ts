/** Notes below lists and counts of devices that may be incomplete or out of date. */
import type { RolloutSummary } from '../../rollout/summary.ts';
import { type Mrkdwn, md } from '../kit/escape.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { DoubtedList } from '../models/list-model.ts';
import type { PackageReading } from '../models/problem-model.ts';
import { countText } from '../text/common-text.ts';

export const ONE_OF: Readonly<Record<DoubtedList['list'], string>> = {
  devices: 'device',
  groups: 'group',
  policies: 'policy',
};

export function doubtText({ list, since, missing }: DoubtedList): Mrkdwn {
  const missed = countText(missing, ONE_OF[list], list);
  return md`The management service’s list has lacked ${missed} since ${relativeDate(since)}.`;
}

export type Completeness = {
  /** How many devices, at most, could not be read. */
  readonly unlisted: number;
  /** Not null while the fleet is being read for the first time. `of`: the number of devices, where it is known. */
  readonly partial?: { readonly of: number | null } | null;
  /** A refresh was due and failed, so older data is shown. */
  readonly overdue?: boolean;
  readonly doubts?: readonly DoubtedList[];
};

/** One sentence for each reason. `verb`: the participle for unread devices, such as `listed` or `counted`. */
export function completenessNotes(
  { unlisted, partial = null, overdue, doubts = [] }: Completeness,
  verb: Mrkdwn,
): readonly Mrkdwn[] {
  const all =
    partial === null || partial.of === null ? md`` : md` (${countText(partial.of, 'device')} in total)`;
  return [
    partial === null ? null : md`The fleet is still loading for the first time. Results are partial${all}.`,
    overdue === true ? md`Couldn’t refresh from the management service. Showing the last known data.` : null,
    ...doubts.map((doubt) => md`${doubtText(doubt)} Showing the last known ones too.`),
    unlisted === 0 ? null : md`Up to ${countText(unlisted, 'device')} couldn’t be ${verb}.`,
  ].filter((note) => note !== null);
}

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
