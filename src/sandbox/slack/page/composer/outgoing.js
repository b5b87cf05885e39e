/** What a person wrote: a slash command, or a message. The workspace makes the mentions and escapes the rest. */

/**
 * @param {string} line
 * @returns {{command: string, text: string} | null} null for what is no command
 */
export function asCommand(line) {
  const match = /^(\/[^\s/]+)(?:\s+([\s\S]*))?$/.exec(line);
  return match ? { command: match[1] ?? '', text: (match[2] ?? '').trim() } : null;
}
