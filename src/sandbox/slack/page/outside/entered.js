/** What was entered into a form, as an order takes it. */
/** @import { Entered } from './orders.js' */

const NUMBERS = new Set(['count', 'times', 'status', 'ms', 'retry_after']);

/** Fields left empty are left out, and numbers become numbers. @param {Entered} entered */
export function filled(entered) {
  const given = Object.entries(entered).filter(([, value]) => value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value]));
}
