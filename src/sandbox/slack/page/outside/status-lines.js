/** The current state of the outside world: lines of the panel that update on their own. */
/** @import { ActiveFault, SandboxState } from '../types.d.ts' */
/** @import { FormInput } from './panel-forms.js' */
import { dayAndTime } from '../text/dates.js';

/** @typedef {(world: SandboxState, now: number) => readonly string[]} StatusLines */

/** A narrow window does not show the clock in the channel's header. @type {StatusLines} */
export const timeLines = (_world, now) => [dayAndTime(now)];

/** @type {StatusLines} */
export const liveModeLines = ({ living = false }) => [
  living ? 'On: something small happens about every minute.' : 'Off: nothing happens unless you trigger it.',
];

/** @type {StatusLines} */
export const faultLines = ({ faults = [] }) =>
  faults.length === 0 ? ['Nothing is broken.'] : faults.map(faultText);

/** @param {ActiveFault} fault */
function faultText({ service, match, kind, left, status, ms, retry_after }) {
  const details = [
    status !== undefined && `${status}`,
    ms !== undefined && `by ${ms} ms`,
    retry_after !== undefined && `for ${retry_after} s`,
  ];
  const how = [kind, ...details.filter((each) => each !== false)].join(' ');
  return [service, match, how, left === null ? 'until repaired' : `${left} left`].join(' · ');
}

/** Form input as a control request. */

const NUMBERS = new Set(['count', 'times', 'status', 'ms', 'retry_after']);

/** Leaves out empty fields and converts numbers. @param {FormInput} entered */
export function filledValues(entered) {
  const nonEmpty = Object.entries(entered).filter(([, value]) => value !== '');
  return Object.fromEntries(
    nonEmpty.map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value]),
  );
}
