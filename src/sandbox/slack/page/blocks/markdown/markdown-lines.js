/** Reading the lines of a Markdown text. */

/**
 * How many lines belong together; at least one, so that reading always moves on.
 * @param {readonly string[]} lines
 * @param {number} from
 * @param {(line: string) => boolean} belongs
 */
export function takeWhileLines(lines, from, belongs) {
  let end = from + 1;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  return end - from;
}

export const LIST_LINE = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/;
