/** The current state of the outside world: lines of the panel that update on their own. */

import { dayAndTime } from '../text/dates.ts';
import type { ActiveFault } from '../types.ts';
import type { FormInput, StatusLines } from './panel-model.ts';

/** A narrow window does not show the clock in the channel's header. */
export const timeLines: StatusLines = (_world, now) => [dayAndTime(now)];

export const liveModeLines: StatusLines = ({ living }) => [
  living ? 'On: something small happens about every minute.' : 'Off: nothing happens unless you trigger it.',
];

export const faultLines: StatusLines = ({ faults }) =>
  faults.length === 0 ? ['Nothing is broken.'] : faults.map(faultText);

function faultText({ service, match, kind, left, status, ms, retry_after, take, page }: ActiveFault) {
  const details = [
    status !== undefined && `${status}`,
    ms !== undefined && `by ${ms} ms`,
    retry_after !== undefined && `for ${retry_after} s`,
    take !== undefined && `of ${take} rows`,
    page !== undefined && `always page ${page}`,
  ];
  const how = [kind, ...details.filter((each) => each !== false)].join(' ');
  return [service, match, how, left === null ? 'until repaired' : `${left} left`].join(' · ');
}

const NUMBERS = new Set(['count', 'times', 'status', 'ms', 'retry_after', 'take']);

/** Form input as a control request: without empty fields, and with numbers as such. */
export function filledValues(entered: FormInput) {
  const nonEmpty = Object.entries(entered).filter(([, value]) => value !== '');
  return Object.fromEntries(
    nonEmpty.map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value]),
  );
}
