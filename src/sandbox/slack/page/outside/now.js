/** What holds outside right now: the lines of the panel that change by themselves. */
/** @import { FaultInForce, World } from '../types.d.ts' */
import { dayAndTime } from '../dates.js';

/** @typedef {(world: World, now: number) => readonly string[]} Now */

/** On a narrow window the clock of the channel's head is not there to be seen. @type {Now} */
export const timeNow = (_world, now) => [dayAndTime(now)];

/** @type {Now} */
export const lifeNow = ({ living = false }) => [
  living ? 'On: something small happens about every minute.' : 'Off: nothing happens unless you trigger it.',
];

/** @type {Now} */
export const faultsNow = ({ faults = [] }) =>
  faults.length === 0 ? ['Nothing is broken.'] : faults.map(faultInWords);

/** @param {FaultInForce} fault */
function faultInWords({ service, match, kind, left, status, ms, retry_after }) {
  const details = [
    status !== undefined && `${status}`,
    ms !== undefined && `by ${ms} ms`,
    retry_after !== undefined && `for ${retry_after} s`,
  ];
  const how = [kind, ...details.filter((each) => each !== false)].join(' ');
  return [service, match, how, left === null ? 'until repaired' : `${left} left`].join(' · ');
}
