/** Times of day as `HH:MM`, Slack's format. */
/** @import { OptionSource } from '../picker/sources.js' */
import { withName } from '../picker/sources.js';

const STEP = 30;
const MINUTES = 1440;
const timeFormat = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });

/** "2:07 PM" @param {string} time */
export const timeText = (time) => timeFormat.format(Date.parse(`1970-01-01T${time}:00Z`)).replace(/\s/g, ' ');

/** @param {number} minutes since midnight */
function timeOf(minutes) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** @param {string} time */
export const timeOption = (time) => withName(time, timeText(time));

const EVERY = Array.from({ length: MINUTES / STEP }, (_, at) => timeOption(timeOf(at * STEP)));

/**
 * Parses "14:07", "2:07 pm", "2pm" or "1407"; `null` for anything else.
 * @param {string} text
 */
export function parseTime(text) {
  const match = /^\s*(\d{1,2})(?:[:.]?(\d{2}))?\s*([ap])?\.?m?\.?\s*$/i.exec(text);
  if (!match) return null;
  const half = match[3]?.toLowerCase();
  const hour = Number(match[1]);
  const minute = Number(match[2] ?? 0);
  if (minute > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return null;
  const hours = half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour;
  return timeOf(hours * 60 + minute);
}

/** Every half hour, and any time that is typed. @type {OptionSource} */
export const timesOfDay = async (query, show) => {
  const typed = parseTime(query);
  const wanted = query.trim().toLowerCase();
  const options = EVERY.filter(
    ({ text, value }) => text.text.toLowerCase().startsWith(wanted) || value === typed,
  );
  const exact = typed === null || EVERY.some(({ value }) => value === typed) ? [] : [timeOption(typed)];
  show({ groups: [{ options: [...exact, ...options] }], nothing: 'Not a valid time' });
};
