/** Parses a command's usage hint into the words that may follow the command. */

export type UsageWord = {
  /** The subcommand, such as `device`. */
  readonly word: string;
  /** What follows it, such as `<name>`. */
  readonly rest: string;
};

/**
 * Reads `device <name> | devices [filter] | help` as well as `[device|devices|help] …`. Anything but a plain word (a
 * placeholder, an ellipsis) suggests nothing.
 */
export function parseUsageHint(hint: string): readonly UsageWord[] {
  const { body, tail } = unwrapped(hint.trim());
  return alternatives(body).flatMap((part) => {
    const match = /^([a-z][a-z0-9-]*)(?:\s+(.*))?$/i.exec(part.trim());
    return match ? [{ word: match[1] ?? '', rest: match[2] ?? tail }] : [];
  });
}

/** Removes the brackets around a list of alternatives. */
function unwrapped(hint: string) {
  const match = /^[[({<]([^[\](){}<>]*\|[^[\](){}<>]*)[\])}>]\s*(.*)$/.exec(hint);
  return match ? { body: match[1] ?? '', tail: match[2] ?? '' } : { body: hint, tail: '' };
}

/** Splits at `|`, except inside brackets. */
function alternatives(text: string) {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if ('[({<'.includes(letter)) depth += 1;
    if ('])}>'.includes(letter)) depth -= 1;
    if (letter === '|' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${letter}`);
  }
  return parts;
}
