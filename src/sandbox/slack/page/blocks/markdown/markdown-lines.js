/** Reads the lines of a Markdown text. */

/**
 * Number of consecutive lines that belong together; at least one, so that parsing always advances.
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
