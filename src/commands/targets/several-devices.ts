/** Devices that are named one after the other, separated by commas or spaces. Pure. */

/**
 * Names or `#ids` between the commas, each with its words: spaces part them, but for those in quotes. A name in quotes
 * keeps its commas.
 */
export function namesWithWords(typed: string) {
  return partsOf(typed, ',').map((part) => ({
    name: unquoted(part),
    words: partsOf(part, ' ').map(unquoted),
  }));
}

/** What stands between the separators outside of quotes, and is not empty. */
function partsOf(typed: string, separator: ',' | ' '): readonly string[] {
  const parts = [''];
  let quoted = false;
  for (const sign of typed) {
    if (sign === '"') quoted = !quoted;
    if (sign === separator && !quoted) parts.push('');
    else parts.push(`${parts.pop()}${sign}`);
  }
  return parts.filter((part) => unquoted(part) !== '');
}

function unquoted(part: string): string {
  return part.replaceAll('"', '').trim();
}

/** A name as it stands in such a list. */
export function quoteName(name: string): string {
  return /[ ,]/.test(name) && !name.includes('"') ? `"${name}"` : name;
}

/** These names as one text, which {@link namesWithWords} reads as them again. */
export function joinNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}
