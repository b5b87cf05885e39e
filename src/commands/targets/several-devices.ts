/** Devices that are named one after the other, separated by commas. Pure. */

/** Names or `#ids` between the commas, each once; a name in quotes keeps its commas. */
export function splitNames(typed: string): readonly string[] {
  const names = [''];
  let quoted = false;
  for (const sign of typed) {
    if (sign === '"') quoted = !quoted;
    else if (sign === ',' && !quoted) names.push('');
    else names.push(`${names.pop()}${sign}`);
  }
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
}

/** A name as it stands in such a list. */
export function quoteName(name: string): string {
  return name.includes(',') && !name.includes('"') ? `"${name}"` : name;
}

/** These names as one text, which {@link splitNames} reads as them again. */
export function joinNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}
